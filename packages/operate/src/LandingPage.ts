import { createHash } from 'node:crypto'

/** The texts that describe a service on its landing page. */
export interface Service {
  /** Name of the service, such as "Signature aggregator". */
  readonly name: string
  /** Description of the service in one sentence. */
  readonly description: string
  readonly version: string
}

/** The state of a service. */
export interface State {
  /** Status of the health check: `up`, `degraded`, `down` or another value. */
  readonly status: string
  /** Current problems, in plain text. */
  readonly problems: readonly string[]
}

/** A link on the page. */
export interface Link {
  /** A path on the same server, or a URL on another server. */
  readonly href: string
  /** Text of the link. */
  readonly title: string
}

/** Kinds of APIs that the console calls. */
export type ApiKind = 'data' | 'metrics' | 'node' | 'aggregator' | 'gateway' | 'indexer' | 'operate'

/** An API that the console calls: of this service, or of another service of the same process. */
export interface Api {
  readonly kind: ApiKind
  /** Base URL, absolute or relative to the landing page, such as `./data`. */
  readonly url: string
  /** Name of the network in the paths of the API, such as `mainnet`. */
  readonly network?: string | undefined
  /** For `operate`, the data that operators can see, such as `peers`. */
  readonly parts?: readonly string[] | undefined
}

/** The content of a landing page. */
export interface Content extends Service, State {
  readonly links: readonly Link[]
  readonly apis?: readonly Api[] | undefined
}

/** The response to `GET /`. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Returns the landing page of a service. Callers whose `accept` header contains `text/html`, such as
 * browsers, get HTML; all others get JSON. The HTML loads nothing, runs no script, and escapes every text.
 *
 * @example
 * ```ts
 * import { LandingPage } from '@firn/operate'
 *
 * const { headers, body } = LandingPage.render(
 *   {
 *     name: 'Data API',
 *     description: 'Indexed data over REST.',
 *     version: '0.2.0',
 *     status: 'up',
 *     problems: [],
 *     links: [{ href: '/docs', title: 'Documentation' }],
 *   },
 *   'text/html',
 * )
 * ```
 */
export function render(content: Content, accept: string | undefined): Answer {
  const isHtml = wantsHtml(accept)
  return {
    headers: {
      'content-type': `${isHtml ? 'text/html' : 'application/json'}; charset=utf-8`,
      'cache-control': 'no-cache',
      vary: 'accept',
      'x-content-type-options': 'nosniff',
      ...(isHtml ? { 'content-security-policy': POLICY } : {}),
    },
    body: isHtml ? toHtml(content) : toJson(content),
  }
}

/**
 * Returns whether a caller with this `accept` header gets HTML.
 * @example
 * ```ts
 * import { LandingPage } from '@firn/operate'
 *
 * LandingPage.wantsHtml('text/html,application/xhtml+xml') // true
 * ```
 */
export function wantsHtml(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '')
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: 0 }
li { margin: .3rem 0; overflow-wrap: anywhere }
code { font-size: .9em }
.status { font-weight: 600 }
`

/** Content security policy that forbids loading anything and allows only this page's own style. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function toJson({ name, description, version, status, problems, links, apis = [] }: Content): string {
  const named = links.map(({ href, title }) => ({ href, title }))
  const described = { name, description, version, status, problems, links: named, apis }
  return `${JSON.stringify(described, null, 2)}\n`
}

function toHtml({ name, description, version, status, problems, links }: Content): string {
  const items = (texts: readonly string[]) => texts.map((text) => `<li>${text}</li>`).join('\n')
  const places = links.map(
    ({ href, title }) =>
      `<a href="${escapeHtml(href)}"><code>${escapeHtml(href)}</code></a> ${escapeHtml(title)}`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Firn ${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Firn ${escapeHtml(name)}</h1>
<p>${escapeHtml(description)}</p>
<p>Version ${escapeHtml(version)}, <span class="status">${escapeHtml(status)}</span></p>
${problems.length === 0 ? '' : `<ul>\n${items(problems.map(escapeHtml))}\n</ul>\n`}<ul>
${items(places)}
</ul>
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
