export * from './hostileServers.ts'
export { CERTIFICATE } from './testCertificate.ts'
