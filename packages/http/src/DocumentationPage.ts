import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as StaticFile from './StaticFile.ts'

/** Options of {@link add}. */
export interface DocumentationPageOptions {
  /** Returns the OpenAPI document that the page shows. */
  readonly document: () => Record<string, unknown>
  /** Start of the page's path, such as `/data`; defaults to none. */
  readonly prefix?: string
  /** Configuration of the routes, such as their cost. */
  readonly config?: object
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

/** Hides the routes from the document. The files are already compressed. */
const ROUTE = { schema: { hide: true }, compress: false } as object

/**
 * Adds `/openapi.json`, and `/docs`, a page that shows this document. Everything is created when it is first requested,
 * because most processes never send it and the page's library needs 20 MB of memory, and then kept with its compressed
 * forms.
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
export function add(server: FastifyInstance, options: DocumentationPageOptions): void {
  const { document, prefix = '', config = {} } = options
  const path = `${prefix}/docs`
  const files = createFiles(path, document)
  const route = { ...ROUTE, config }
  let file: StaticFile.StaticFile | undefined
  server.get(`${prefix}/openapi.json`, route, async (request, reply) => {
    file ??= StaticFile.create('application/json; charset=utf-8', JSON.stringify(document()))
    return send(reply, await file.answer(request.headers))
  })
  for (const url of [path, `${path}/*`]) {
    server.get(url, route, async (request, reply) => answerPage(request, reply, files))
  }
}

async function answerPage(request: FastifyRequest, reply: FastifyReply, files: Files): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?')
  const found = await files(path)
  if (found === undefined) {
    reply.callNotFound()
    return reply
  }
  if ('location' in found) return reply.redirect(found.location, 301)
  return send(reply, await found.file.answer(request.headers, found.headers))
}

function send(reply: FastifyReply, { status, headers, body }: StaticFile.Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** A file of the page with its own headers, or the address of one. */
type Found =
  | { readonly file: StaticFile.StaticFile; readonly headers: Readonly<Record<string, string>> }
  | { readonly location: string }
type Files = (path: string) => Promise<Found | undefined>

/** Returns a function that finds a file of the page. It asks the page's library once for each file. */
function createFiles(path: string, document: DocumentationPageOptions['document']): Files {
  const known = new Map<string, Promise<Found | undefined>>()
  let page: Promise<FastifyInstance> | undefined
  const load = async (url: string): Promise<Found | undefined> => {
    page ??= createPage(path, document)
    const { statusCode, headers, rawPayload } = await (await page).inject(url)
    if (headers.location !== undefined) return { location: headers.location }
    return statusCode === 200 ? toFile(headers, rawPayload) : undefined
  }
  return async (url) => {
    // Requests that arrive at the same time share one file.
    const found = known.get(url) ?? load(url)
    known.set(url, found)
    const file = await found
    // The library has only a few files, so the map stays small.
    if (file === undefined) known.delete(url)
    return file
  }
}

function toFile(headers: Readonly<Record<string, unknown>>, payload: Uint8Array): Found {
  const { 'content-type': contentType, 'content-disposition': disposition } = headers
  return {
    file: StaticFile.create(String(contentType), payload),
    headers: disposition === undefined ? {} : { 'content-disposition': String(disposition) },
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
  return server
}
