import type { IncomingHttpHeaders } from 'node:http'
import type { StaticFile } from '@firn/http'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type ConsoleFiles, load } from './ConsoleFiles.ts'
import * as LandingPage from './LandingPage.ts'

/** The part of a request that decides about the answer. */
export interface Request {
  /** Path without the query, such as `/` or `/console/main-2AB3.js`. */
  readonly path: string
  readonly headers: Pick<IncomingHttpHeaders, 'accept' | 'accept-encoding' | 'if-none-match'>
}

const PREFIX = '/console/'

/** Hides a route from the OpenAPI document. */
const HIDDEN: FastifySchema & { readonly hide: boolean } = { hide: true }

/**
 * Returns whether the console answers a path: `/` or an asset below `/console/`.
 * @example
 * ```ts
 * import { Console } from '@firn/operate'
 *
 * Console.isPath('/console/main-2AB3.js') // true
 * ```
 */
export function isPath(path: string): boolean {
  return path === '/' || path.startsWith(PREFIX)
}

/**
 * Returns the answer to a GET request for `/` or for an asset of the console. A browser gets the console for `/`,
 * other callers get the landing page as JSON. If this installation has no console, browsers get the landing page as
 * HTML. Assets may be cached forever, because their names contain a hash.
 * @param content returns the content of the landing page; called only for `/`
 * @throws the errors of `content`, and of reading the installed files
 * @example
 * ```ts
 * import { Console, type LandingPage } from '@firn/operate'
 *
 * declare const content: LandingPage.Content
 * const headers = { accept: 'text/html', 'accept-encoding': 'br' }
 * const { status, body } = await Console.answer({ path: '/', headers }, () => content)
 * ```
 */
export async function answer(
  { path, headers }: Request,
  content: () => LandingPage.Content | Promise<LandingPage.Content>,
): Promise<StaticFile.Answer> {
  if (path !== '/') return assetAnswer(await load(), path.slice(PREFIX.length), headers)
  const files = LandingPage.wantsHtml(headers.accept) ? await load() : undefined
  const shown = await content()
  if (files !== undefined) return pageAnswer(files, shown, headers)
  return { status: 200, ...LandingPage.render(shown, headers.accept) }
}

/**
 * Adds the routes of the console to a fastify server: `GET /` and `GET /console/:asset`.
 * @param content returns the content of the landing page
 * @throws fastify's error if the server has one of the routes, or listens already
 * @example
 * ```ts
 * import { Console, type LandingPage } from '@firn/operate'
 * import fastify from 'fastify'
 *
 * declare const content: LandingPage.Content
 * const server = fastify()
 * Console.addRoutes(server, () => content)
 * ```
 */
export function addRoutes(
  server: Pick<FastifyInstance, 'get'>,
  content: () => LandingPage.Content | Promise<LandingPage.Content>,
): void {
  for (const route of ['/', `${PREFIX}:asset`]) {
    // Files are already compressed.
    const options = { logLevel: 'warn', compress: false, schema: HIDDEN } as const
    server.get(route, options, async ({ url, headers }, reply) => {
      const { status, headers: sent, body } = await answer({ path: pathOf(url), headers }, content)
      return reply.code(status).headers(sent).send(body)
    })
  }
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? ''
}

const REFERRER = { 'referrer-policy': 'no-referrer' } as const
const FOREVER = 'public, max-age=31536000, immutable'
const NOT_FOUND: StaticFile.Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'The console has no such file. Load the page again.\n',
}

async function assetAnswer(
  files: ConsoleFiles | undefined,
  name: string,
  headers: Request['headers'],
): Promise<StaticFile.Answer> {
  const file = files?.assets.get(name)
  return file?.answer(headers, { ...REFERRER, 'cache-control': FOREVER }) ?? NOT_FOUND
}

function pageAnswer(
  { page }: ConsoleFiles,
  content: LandingPage.Content,
  headers: Request['headers'],
): Promise<StaticFile.Answer> {
  return page.answer(headers, {
    ...REFERRER,
    vary: 'accept, accept-encoding',
    'content-security-policy': policyFor(content),
  })
}

/**
 * Content security policy of the console: own files only, no inline code, and requests to this service and to the
 * services that the landing page names.
 */
function policyFor({ apis = [] }: LandingPage.Content): string {
  const urls = apis.map(({ url }) => url).filter((url) => URL.canParse(url))
  const origins = new Set(urls.map((url) => new URL(url).origin))
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
