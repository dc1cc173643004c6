// Takes the place of a part of the MCP server's library: its JSON Schema validator checks clients' answers to the server's
// questions. Our server asks none; without it the package is 43 KB smaller.
export { default as process } from 'node:process';
export const DefaultJsonSchemaValidator = undefined;
