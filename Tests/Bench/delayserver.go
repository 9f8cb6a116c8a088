// A TLS server whose handshake starts DELAY after the connection is accepted: many far-away hosts on one loopback machine.
// It costs little CPU, so the client under test is what is measured.
// usage: delayserver ADDR DELAY CHAIN.pem KEY.pem      e.g. delayserver 0.0.0.0:9443 100ms chain.pem key.pem
package main

import (
    "crypto/tls"
    "fmt"
    "net"
    "os"
    "time"
)

func main() {
    if len(os.Args) != 5 {
        fmt.Fprintln(os.Stderr, "usage: delayserver ADDR DELAY CHAIN.pem KEY.pem")
        os.Exit(2)
    }
    delay, err := time.ParseDuration(os.Args[2])
    if err != nil {
        panic(err)
    }
    pair, err := tls.LoadX509KeyPair(os.Args[3], os.Args[4])
    if err != nil {
        panic(err)
    }
    config := &tls.Config{Certificates: []tls.Certificate{pair}, SessionTicketsDisabled: true}
    l, err := net.Listen("tcp", os.Args[1])
    if err != nil {
        panic(err)
    }
    fmt.Println("listening", l.Addr())
    for {
        c, err := l.Accept()
        if err != nil {
            continue
        }
        go func() {
            defer c.Close()
            time.Sleep(delay)
            t := tls.Server(c, config)
            t.SetDeadline(time.Now().Add(10 * time.Second))
            if t.Handshake() == nil {
                b := make([]byte, 1)
                t.Read(b)
            }
        }()
    }
}
