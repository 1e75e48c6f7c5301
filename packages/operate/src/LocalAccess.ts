import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { IpAddress } from '@firn/http'
import type { Logger } from '@firn/runtime'
import * as LocalToken from './LocalToken.ts'
import * as OperatorLink from './OperatorLink.ts'

/** Lets programs and browsers on this machine be operators: with the token of the data folder, or with a link. */
export interface LocalAccess {
  /** Data folder with the file of the token; undefined if the token is in no file. */
  readonly folder: string | undefined
  /** Returns whether a text is the token of the data folder, or of a browser that was signed in. */
  has(text: string): boolean
  /** Returns an address of the console that signs a browser in, once, within ten minutes. */
  createLink(url: string): string
  /** Returns a token for the code of a link to the service at a port; undefined if it is invalid, used or expired. */
  exchange(code: string, port: number | undefined): string | undefined
}

/** How operators on this machine get access to a service, besides API keys. */
export interface ServiceOptions {
  /** Token and links; by default there are none. Services of one process share them. */
  readonly local?: LocalAccess | undefined
  /** Path of a Unix socket with the mode 0600 on which the service answers operators; by default there is none. */
  readonly operatorSocket?: string | undefined
}

/** Options of {@link open}. */
export interface LocalAccessOptions extends Partial<OperatorLink.LinkOptions> {
  /** Data folder of the service, in which the file with the token is. */
  readonly folder: string
  readonly log: Pick<Logger, 'warn'>
}

/** Time for which a browser stays signed in, in milliseconds. */
const SESSION_MS = 12 * 3_600_000
/** Largest number of browsers that are signed in at the same time; the oldest one is signed out. */
const MAX_SESSIONS = 100

/**
 * Opens the token of a data folder. Returns undefined, and logs why, if the folder is not writable: then only API keys
 * and the operator socket give access. A process opens it once, for all of its services.
 * @example
 * ```ts
 * import { LocalAccess } from '@firn/operate'
 * import { silentLogger } from '@firn/runtime'
 *
 * const local = LocalAccess.open({ folder: '/var/lib/firn', log: silentLogger })
 * ```
 */
export function open({
  folder,
  log,
  now = Date.now,
  random = randomBytes,
}: LocalAccessOptions): LocalAccess | undefined {
  try {
    return create(LocalToken.open(folder, random), { now, random }, folder)
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'operators on this machine need an API key')
    return undefined
  }
}

/**
 * Returns the access that a token gives.
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { LocalAccess } from '@firn/operate'
 *
 * const local = LocalAccess.create('firnop_…', { now: Date.now, random: randomBytes })
 * local.has('firnop_…') // true
 * ```
 */
export function create(token: string, options: OperatorLink.LinkOptions, folder?: string): LocalAccess {
  const { now, random } = options
  const digest = hash(token)
  /** Times until which browsers are signed in, by the hash of their token. */
  const sessions = new Map<string, number>()
  /** Which codes of earlier processes were used is not known, so their links have ended. */
  const startedAt = Math.floor(now() / 1000) * 1000
  /** Times until which used codes would be valid, by their ids. */
  const used = new Map<string, number>()
  return {
    folder,
    has(text) {
      const mine = hash(text)
      if (timingSafeEqual(mine, digest)) return true
      const until = sessions.get(mine.toString('base64url'))
      return until !== undefined && until > now()
    },
    createLink: (url) => OperatorLink.create(token, url, options),
    exchange(text, port) {
      const code = OperatorLink.verify(token, text, port, now())
      for (const [id, until] of used) if (until <= now()) used.delete(id)
      if (code === undefined || code.until - OperatorLink.LIFETIME_MS < startedAt || used.has(code.id))
        return undefined
      used.set(code.id, code.until)
      const session = `firnop_${Buffer.from(random(32)).toString('base64url')}`
      sessions.set(hash(session).toString('base64url'), now() + SESSION_MS)
      const [oldest] = sessions.keys()
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
      return session
    },
  }
}

/**
 * Returns access for a process without a data folder: only its links sign browsers in.
 * @example
 * ```ts
 * import { LocalAccess } from '@firn/operate'
 *
 * const local = LocalAccess.createInMemory()
 * local.createLink('http://127.0.0.1:8080') // 'http://127.0.0.1:8080/#operator=…'
 * ```
 */
export function createInMemory(): LocalAccess {
  return create(randomBytes(32).toString('base64url'), { now: Date.now, random: randomBytes })
}

/** What of a terminal {@link announce} needs. */
export interface Display {
  readonly isInteractive: boolean
  note(line: string): void
}

/**
 * Shows a link that signs a browser in to the console of a service, if a person reads the output: links must not be in
 * logs.
 * @example
 * ```ts
 * import { LocalAccess } from '@firn/operate'
 * import { silentLogger } from '@firn/runtime'
 *
 * const local = LocalAccess.open({ folder: '/var/lib/firn', log: silentLogger })
 * const terminal = { isInteractive: true, note: (line: string) => console.error(line) }
 * LocalAccess.announce(local, 'http://127.0.0.1:8700', terminal)
 * ```
 */
export function announce(local: LocalAccess | undefined, url: string, terminal: Display): void {
  if (local === undefined || !terminal.isInteractive) return
  // The token counts only for connections from loopback addresses.
  if (!IpAddress.isLoopback(IpAddress.parse(new URL(url).hostname))) return
  terminal.note(`operate          ${local.createLink(url)}`)
  terminal.note('                 signs one browser in to the pages for operators, within 10 minutes')
  if (local.folder === undefined) return
  terminal.note(`                 another link: firn operate link --url ${url} --data-dir ${local.folder}`)
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
