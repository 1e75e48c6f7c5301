import { truncate } from '@firn/codec'

/** Names of facts whose values are secret. */
const SECRET_NAME =
  /^(?:authorization|cookie|set-cookie|token|bypassToken|.*(?:api[-_]?key|secret|password|passphrase|private[-_]?key|access[-_]?token))$/i

const HIDDEN = '[hidden]'

/** Texts that are secret wherever they appear. The first group is kept. */
const SECRETS: readonly RegExp[] = [
  /\b(firn(?:rl|op)?_[A-Za-z0-9_-]{6})[A-Za-z0-9_-]{10,}/g,
  /\b(PrivateKey-)[1-9A-HJ-NP-Za-km-z]+/g,
  /\b(Bearer +)\S+/gi,
  // User and password, and the query, of a URL.
  /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@?#"']+(?=@)/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"']+\?)[^\s#"']+/gi,
  /([#?&]operator=)[A-Za-z0-9_-]+/g,
  /\b((?:api[-_]?key|secret|password|access[-_]?token|token)[=:] *)[^\s&,;"']+/gi,
]

const MAX_TEXT = 2_000
const MAX_FACTS = 30

/** Returns a text without secrets, and cut at 2,000 characters. */
export function ofText(text: string): string {
  return SECRETS.reduce((cut, secret) => cut.replace(secret, `$1${HIDDEN}`), truncate(text, MAX_TEXT))
}

/** Returns the facts of a log line as text, without secrets. Of errors and objects with a message, only that is kept. */
export function ofFacts(facts: object): Readonly<Record<string, string>> {
  const shown = Object.entries(facts).slice(0, MAX_FACTS)
  return Object.fromEntries(
    shown
      .filter(([, value]) => value !== undefined && typeof value !== 'function')
      .map(([name, value]) => [name.slice(0, 100), SECRET_NAME.test(name) ? HIDDEN : ofText(toText(value))]),
  )
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if ('message' in value && typeof value.message === 'string') return value.message
  // Objects such as requests have many members, which may contain anything.
  if (!Array.isArray(value)) return `{${Object.keys(value).join(', ')}}`
  return value
    .slice(0, 100)
    .map((one) => (typeof one === 'object' ? '…' : String(one)))
    .join(', ')
}
