/** Who sends this request? Today everybody is a guest: API tokens (t-1) will change that. */
export function whoIs(request) {
  return request.headers['x-customer'] ?? 'guest';
}
