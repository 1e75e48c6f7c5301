import { describe, expect, it } from 'vitest'
import * as IpAddress from '../IpAddress.ts'
import * as TrustedProxies from '../TrustedProxies.ts'
import * as ConnectionCounts from './ConnectionCounts.ts'
import * as Descriptors from './Descriptors.ts'

const counts = (connections: number, connectionsPerAddress: number, options: TrustedProxies.Options = {}) =>
  ConnectionCounts.create({ connections, connectionsPerAddress }, TrustedProxies.create(options))

/** Adds connections of the addresses, and returns `open` or the refusal of each. */
const added = (to: ConnectionCounts.ConnectionCounts, addresses: readonly string[]) =>
  addresses.map((text) => {
    const result = to.add(IpAddress.parse(text))
    return typeof result === 'function' ? 'open' : result
  })

describe('ConnectionCounts', () => {
  it('limits each /64, and a whole /48 to 16 times as many connections', () => {
    const own = counts(1_000, 2)
    expect(added(own, ['2001:db8::1', '2001:db8::2', '2001:db8::3'])).toEqual(['open', 'open', 'address'])
    const networks = Array.from({ length: 31 }, (_, i) => `2001:db8:0:${(i + 1).toString(16)}::1`)
    expect(added(own, networks)).toEqual([...Array(30).fill('open'), 'address'])
    expect(added(own, ['2001:db8:1::1'])).toEqual(['open'])
  })

  it('limits trusted proxies and Unix sockets only in total', () => {
    const own = counts(4, 1, { trustedProxies: ['10.0.0.0/8'] })
    expect(added(own, ['10.0.0.1', '10.0.0.1', 'no address', '1.2.3.4', '1.2.3.5'])).toEqual([
      ...['open', 'open', 'open', 'open', 'total'],
    ])
  })

  it('frees the place of a connection once it has ended', () => {
    const own = counts(10, 1)
    const release = own.add(IpAddress.parse('1.2.3.4'))
    expect(own.open).toBe(1)
    if (typeof release === 'function') release()
    expect([own.open, added(own, ['1.2.3.4'])]).toEqual([0, ['open']])
  })
})

describe('Descriptors', () => {
  const LIMITS =
    'Limit Soft Hard Units\nMax open files            600                  600                  files\n'

  it('gives connections three quarters of the descriptors that nothing else uses, and counts these again later', () => {
    let [time, open] = [0, 200]
    const descriptors = Descriptors.create({ limits: () => LIMITS, open: () => open, now: () => time })
    expect(descriptors.capacity()).toBe(300)
    Object.assign(descriptors, { held: 100 })
    open = 340
    expect(descriptors.capacity()).toBe(300)
    time = 5_000
    expect(descriptors.capacity()).toBe(270)
  })

  it('has no limit on systems that report none', () => {
    const none = { limits: () => '', open: () => 0, now: () => 0 }
    expect(Descriptors.create(none).capacity()).toBe(Number.POSITIVE_INFINITY)
  })
})
