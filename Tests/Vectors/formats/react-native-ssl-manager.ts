import { setSSLConfig } from 'react-native-ssl-manager';

const PINS = ['sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=', 'sha256/' + 'hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU='];

setSSLConfig({ sha256Keys: { 'example.com': PINS }, domains: { 'example.com': { enforcePinning: true } } });
