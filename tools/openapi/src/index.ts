/** Generates the types and operations of the REST client from the OpenAPI documents of the services. */
export { files, type GeneratedFile, readDocument, write } from './ClientSource.ts'
