kubeadm join example.com:6443 --token abcdef.0123456789abcdef \
    --discovery-token-ca-cert-hash sha256:0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3 \
    --discovery-token-ca-cert-hash=sha256:854705162a75cf418e8a85acf10998579808769dbf1caed406f6abf817ee4cd5
