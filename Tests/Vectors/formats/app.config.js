const root = { 'SPKI-SHA256-BASE64': 'C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=' };
module.exports = ({ config }) => ({
  ...config,
  ios: {
    infoPlist: {
      NSAppTransportSecurity: {
        NSPinnedDomains: {
          'example.com': { NSIncludesSubdomains: true, NSPinnedCAIdentities: [root, { 'SPKI-SHA256-BASE64': 'hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=' }] },
        },
      },
    },
  },
});
