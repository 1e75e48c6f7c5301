import { ConsoleError } from '../ConsoleError.ts'
import type { ApiKind } from '../Routes.ts'

/** An API of this service, or of another service of the same process. */
export interface Api {
  readonly kind: ApiKind
  /** Absolute base URL without a slash at the end. */
  readonly url: string
  /** Name of the network in the paths of the API. */
  readonly network?: string | undefined
  /** For `operate`, the data that operators can see. */
  readonly parts?: readonly string[] | undefined
}

/** What the service says about itself at its root path. */
export interface Landing {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly status: string
  readonly problems: readonly string[]
  readonly links: readonly { readonly href: string; readonly title: string }[]
  readonly apis: readonly Api[]
}

/** Address of the console without the part after `#`. */
const base = () => new URL('./', location.href)

/** Requests the landing page of the service as JSON. @throws ConsoleError `CONSOLE_SERVICE` */
export async function load(signal: AbortSignal): Promise<Landing> {
  const response = await fetch(base(), { headers: { accept: 'application/json' }, signal }).catch((cause) => {
    throw new ConsoleError('CONSOLE_SERVICE', 'The service does not respond. Check that it runs.', { cause })
  })
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !isJson) {
    const got = `HTTP ${response.status}, ${response.headers.get('content-type') ?? 'no content type'}`
    throw new ConsoleError(
      'CONSOLE_SERVICE',
      `The service did not describe itself (${got}). Load the page again.`,
    )
  }
  const { apis = [], ...landing } = (await response.json()) as Landing
  return { ...landing, apis: apis.map((api) => ({ ...api, url: absolute(api.url) })) }
}

/** Resolves a URL against the address of the console, and removes the slash at its end. */
export function absolute(url: string): string {
  return new URL(url.startsWith('/') ? `.${url}` : url, base()).href.replace(/\/+$/, '')
}
