// The alternative for many hosts: a scanner like tlsx and zgrab2. It uses Go's crypto/tls with CONCURRENCY goroutines, hashes the leaf's
// SPKI with SHA-256, and validates nothing.
// usage: goscan CONCURRENCY PORT < addresses
package main

import (
    "bufio"
    "crypto/sha256"
    "crypto/tls"
    "encoding/hex"
    "fmt"
    "net"
    "os"
    "strconv"
    "sync"
    "sync/atomic"
    "time"
)

func main() {
    n, _ := strconv.Atoi(os.Args[1])
    jobs := make(chan string, n)
    out := bufio.NewWriter(os.Stdout)
    var mu sync.Mutex
    var wg sync.WaitGroup
    var ok, bad int64
    for i := 0; i < n; i++ {
        wg.Add(1)
        go func() {
            defer wg.Done()
            for h := range jobs {
                d := &net.Dialer{Timeout: 5 * time.Second}
                c, err := tls.DialWithDialer(d, "tcp", h+":"+os.Args[2], &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"})
                if err != nil {
                    atomic.AddInt64(&bad, 1)
                    continue
                }
                s := sha256.Sum256(c.ConnectionState().PeerCertificates[0].RawSubjectPublicKeyInfo)
                c.Close()
                atomic.AddInt64(&ok, 1)
                mu.Lock()
                fmt.Fprintln(out, h, hex.EncodeToString(s[:]))
                mu.Unlock()
            }
        }()
    }
    in := bufio.NewScanner(os.Stdin)
    for in.Scan() {
        jobs <- in.Text()
    }
    close(jobs)
    wg.Wait()
    out.Flush()
    fmt.Fprintln(os.Stderr, "ok", ok, "bad", bad)
}
