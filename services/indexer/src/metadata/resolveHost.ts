import { lookup, Resolver } from 'node:dns/promises'

const TRY_MS = 3_000
const TRIES = 2

/**
 * Every IPv4 and IPv6 address that name servers have for a name; none where there is none. Not by the system's own
 * look-up, whose few threads a slow name server would hold, and which knows names of the inside.
 */
export async function resolveHost(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Every address that the system has for a name, be it of its own files; rejects where it has none. */
export async function resolveInside(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
