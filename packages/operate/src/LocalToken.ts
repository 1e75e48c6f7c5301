import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HttpError } from '@firn/http'

/** Name of the file in the data folder of a service. */
const FILE = 'operator-token'
const FORM = /^firnop_[A-Za-z0-9_-]{43}$/
const BYTES = 32
/** Only the owner may read and write. */
const MODE = 0o600

/**
 * Returns the file with the token in a data folder.
 * @example
 * ```ts
 * import { LocalToken } from '@firn/operate'
 *
 * LocalToken.pathIn('/var/lib/firn') // '/var/lib/firn/operator-token'
 * ```
 */
export function pathIn(folder: string): string {
  return join(folder, FILE)
}

/**
 * Returns the token of a data folder, and creates it if there is none. All services of a user that share a folder share
 * its token. A file that others may read or have written is replaced.
 * @throws HttpError `HTTP_TOKEN` if the folder is not writable
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { LocalToken } from '@firn/operate'
 *
 * const token = LocalToken.open('/var/lib/firn', randomBytes) // 'firnop_…'
 * ```
 */
export function open(folder: string, random: (bytes: number) => Uint8Array): string {
  const path = pathIn(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stored = readOwn(path)
    if (stored !== undefined) return stored
    const fresh = newToken(random)
    const draft = `${path}.${Buffer.from(random(6)).toString('hex')}`
    writeFileSync(draft, `${fresh}\n`, { mode: MODE, flag: 'wx' })
    try {
      return place(draft, path, fresh)
    } finally {
      rmSync(draft, { force: true })
    }
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException
    const message = `cannot write the token of operators into ${path} (${code}); choose a writable folder with --data-dir, or use a key with the scope admin`
    throw new HttpError('HTTP_TOKEN', message, { cause })
  }
}

/**
 * Returns the token that a service has created in a data folder.
 * @throws HttpError `HTTP_TOKEN` if there is none that only this user may read
 * @example
 * ```ts
 * import { LocalToken } from '@firn/operate'
 *
 * const token = LocalToken.read('/var/lib/firn') // 'firnop_…'
 * ```
 */
export function read(folder: string): string {
  const path = pathIn(folder)
  const stored = readOwn(path)
  if (stored !== undefined) return stored
  const message = `no token of operators that only this user may read in ${path}; run this command as the user of the service, with the --data-dir of the service, after its start`
  throw new HttpError('HTTP_TOKEN', message)
}

/** Moves the draft to its place. Returns the token that is there in the end: another process may have been faster. */
function place(draft: string, path: string, fresh: string): string {
  try {
    linkSync(draft, path)
    return fresh
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stored = readOwn(path)
  if (stored !== undefined) return stored
  renameSync(draft, path)
  return fresh
}

/** Returns the token in a file that belongs to this user and that nobody else may access; otherwise undefined. */
function readOwn(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined || !facts.isFile()) return undefined
  // Windows has neither owners nor modes.
  const user = process.getuid?.()
  if (user !== undefined && (facts.uid !== user || (facts.mode & 0o777) !== MODE)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  return FORM.test(text) ? text : undefined
}

function newToken(random: (bytes: number) => Uint8Array): string {
  return `firnop_${Buffer.from(random(BYTES)).toString('base64url')}`
}
