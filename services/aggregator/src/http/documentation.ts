import swagger from '@fastify/swagger'
import { DocumentationPage, OpenApiComponents } from '@firn/http'
import type { FastifyInstance } from 'fastify'

/** The headers in which a service with API keys expects one of them. */
const SECURITY = {
  'x-data-api-key': { type: 'apiKey', in: 'header', name: 'x-data-api-key' },
  'x-glacier-api-key': { type: 'apiKey', in: 'header', name: 'x-glacier-api-key' },
  bearer: { type: 'http', scheme: 'bearer' },
} as const

/** Collects the routes that are added later for the document of {@link addDocumentation}. */
export async function collectDocumentation(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Firn signature aggregator',
        description: 'Signed Warp messages of the Avalanche network.',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The server of this document' }],
      components: { securitySchemes: SECURITY },
      security: [{}, ...Object.keys(SECURITY).map((name) => ({ [name]: [] }))],
    },
  })
}

/** Adds `/openapi.json`, which describes the collected routes, and `/docs`, a page that shows it. */
export function addDocumentation(server: FastifyInstance): void {
  DocumentationPage.add(server, { document: () => OpenApiComponents.extract(server.swagger()) })
}
