import { createServer } from 'node:http';
import { whoIs } from './auth.js';
import { find } from './parcels.js';

createServer((request, response) => {
  const customer = whoIs(request);
  if (!customer) {
    response.writeHead(401).end();
    return;
  }
  const parcel = find(customer, request.url.slice(1));
  response.writeHead(parcel ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(parcel ?? { error: 'unknown parcel' }));
}).listen(8080);
