// A TLS server that starts the handshake DELAY after it accepts the connection. It simulates many distant hosts on the loopback interface.
// It needs little CPU time, so it does not affect the measured client.
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
