// Takes the place of asn1.js in web-push, which writes one thing with it: a private P-256 key as PEM (RFC 5915).
const [before, after] = ['30310201010420', 'a00a06082a8648ce3d030107'].map((hex) => Buffer.from(hex, 'hex'));
const pem = ({ privateKey }) =>
  `-----BEGIN EC PRIVATE KEY-----\n${Buffer.concat([before, privateKey, after]).toString('base64')}\n-----END EC PRIVATE KEY-----\n`;
module.exports = { define: () => ({ encode: pem }) };
