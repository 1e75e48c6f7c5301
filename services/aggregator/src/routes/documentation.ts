import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'

/** The headers in which a service with API keys expects one of them. */
const SECURITY = {
  'x-data-api-key': { type: 'apiKey', in: 'header', name: 'x-data-api-key' },
  'x-glacier-api-key': { type: 'apiKey', in: 'header', name: 'x-glacier-api-key' },
  bearer: { type: 'http', scheme: 'bearer' },
} as const

/**
 * Adds `/openapi.json`, which describes all routes that are added later, and `/docs`, a page that shows it. The page's
 * library needs 20 MB of memory, so it is loaded when the page is first requested.
 */
export async function addDocumentation(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Firn signature aggregator',
        description: 'Signed Warp messages of the Avalanche network.',
        version,
      },
      components: { securitySchemes: SECURITY },
      security: [{}, ...Object.keys(SECURITY).map((name) => ({ [name]: [] }))],
    },
  })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
  let page: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*']) {
    server.get(url, { schema: { hide: true } }, async (request, reply) => {
      page ??= createPage(server)
      const { statusCode, headers, rawPayload } = await (await page).inject(request.url)
      if (statusCode === 404) return reply.callNotFound()
      const { connection: _, ...own } = headers
      return reply.code(statusCode).headers(own).send(rawPayload)
    })
  }
}

/** Returns a server without a socket that has only the page. */
async function createPage(documented: FastifyInstance): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: { withDefaultFonts: false, telemetry: false, content: () => documented.swagger() },
  })
  return server as unknown as FastifyInstance
}
