import { ReadmesError } from './ReadmesError.ts'

/**
 * Values of the placeholders in READMEs, keyed by placeholder. Longer placeholders are replaced before
 * shorter ones.
 */
export type Values = Readonly<Record<string, string>>

/** Hosts of the public networks. Servers on loopback replace them. */
export const PUBLIC_HOSTS: readonly string[] = ['api.avax-test.network', 'api.avax.network']

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const PLACEHOLDER = /<[a-zA-Z][^<>\n]*>|…/
const URLS = /\b(?:https?|wss?|postgres(?:ql)?|redis):\/\/(?:[^@/\s'"]*@)?(\[[^\]]*\]|[^/:\s'",?]+)/g

/** Returns the command without its trailing comment. */
function withoutComment(text: string): string {
  return text.replace(/\s#(?=\s|$)[^\n'"]*$/gm, '')
}

/**
 * Returns a command with every placeholder replaced by its value.
 * @throws ReadmesError `READMES_PLACEHOLDER` if a placeholder has no value, or a host is neither loopback nor
 * a public network's host
 */
export function fill(command: string, values: Values): string {
  const bare = withoutComment(command)
  for (const [, host = ''] of bare.matchAll(URLS)) {
    if (PLACEHOLDER.test(host) || LOOPBACK.includes(host) || PUBLIC_HOSTS.includes(host)) continue
    throw new ReadmesError(
      'READMES_PLACEHOLDER',
      `unknown host ${host}: use loopback or a placeholder in the README`,
    )
  }
  const names = Object.keys(values).sort((a, b) => b.length - a.length)
  const filled = names.reduce((text, name) => text.replaceAll(name, values[name] ?? ''), bare)
  const unknown = PLACEHOLDER.exec(filled)?.[0]
  if (unknown === undefined) return filled
  throw new ReadmesError('READMES_PLACEHOLDER', `no value for the placeholder ${unknown}: add it to World.ts`)
}
