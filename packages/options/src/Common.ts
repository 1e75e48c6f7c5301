import { TrustedProxies } from '@firn/http'
import { group, option, removed } from './Option.ts'
import * as Type from './Type.ts'

const TRUSTED: Type.Type<readonly string[]> = {
  ...Type.list({ ...Type.text, placeholder: 'cidr', expected: 'an address or a network such as 10.0.0.0/8' }),
}

/** Which proxies may report the address of a caller. */
export const PROXIES = group('Proxies', {
  proxies: option(Type.integer(0, 999, 'count'), {
    default: 0,
    help: 'Number of proxies that every request passes; the address that the outermost of them wrote into X-Forwarded-For is the caller’s.',
  }),
  trustedProxies: option(TRUSTED, {
    default: [] as readonly string[],
    help: 'Instead of --proxies: addresses and networks of the proxies, such as 10.0.0.0/8.',
  }),
  trustProxy: removed(Type.flag, TrustedProxies.REMOVED),
})

/** Levels of log lines, least severe first. */
export const LEVELS = ['verbo', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'off'] as const

/** What is logged. */
export const LOG = group('Logging', {
  logLevel: option(Type.choice(...LEVELS), { default: 'info', help: 'Least severe log line to write.' }),
})
