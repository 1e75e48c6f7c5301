import type { FastifyInstance } from 'fastify'

/** Options of {@link add}. */
export interface DocumentationPageOptions {
  /** Returns the OpenAPI document that the page shows. */
  readonly document: () => Record<string, unknown>
  /** Start of the page's path, such as `/data`; defaults to none. */
  readonly prefix?: string
}

/** Settings of the page that disable all requests to the servers of its vendor. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

/**
 * Adds `/docs`, a page that shows an OpenAPI document. The page's library needs 20 MB of memory and 0.2 s of processor
 * time, so it is loaded when the page is first requested.
 *
 * @example
 * ```ts
 * import { DocumentationPage } from '@firn/http'
 * import Fastify from 'fastify'
 *
 * const server = Fastify()
 * DocumentationPage.add(server, { document: () => ({ openapi: '3.1.0', info: { title: 'Prices' }, paths: {} }) })
 * await server.listen({ port: 8080 })
 * ```
 */
export function add(server: FastifyInstance, { document, prefix = '' }: DocumentationPageOptions): void {
  const path = `${prefix}/docs`
  let page: Promise<FastifyInstance> | undefined
  for (const url of [path, `${path}/*`]) {
    server.get(url, { schema: { hide: true } as object }, async (request, reply) => {
      page ??= createPage(path, document)
      const { statusCode, headers, rawPayload } = await (await page).inject(request.url)
      if (statusCode === 404) return reply.callNotFound()
      const { connection: _, 'content-length': __, ...own } = headers
      return reply.code(statusCode).headers(own).send(rawPayload)
    })
  }
}

/** Returns a server without a socket that has only the page. */
async function createPage(
  path: string,
  content: DocumentationPageOptions['document'],
): Promise<FastifyInstance> {
  const { default: Fastify } = await import('fastify')
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, {
    routePrefix: `/${path.slice(1)}`,
    configuration: { ...SETTINGS, content },
  })
  return server as unknown as FastifyInstance
}
