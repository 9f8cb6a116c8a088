import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';

interface Options { publicKeyHashes: string[] }

const ROOT: string = 'C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=';

export async function start() {
  // Don't forget the backup key.
  await initializeSslPinning({
    'example.com': {
      includeSubdomains: true,
      publicKeyHashes: [
        ROOT, // ISRG Root X1
        "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=",
      ] as const,
    },
  });
}
