import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as ClientAddress from './ClientAddress.ts'
import * as IpAddress from './IpAddress.ts'
import * as TrustedProxies from './TrustedProxies.ts'

const keyOf = (
  peer: string | undefined,
  forwarded: string | readonly string[] | undefined,
  options: TrustedProxies.Options,
) =>
  IpAddress.toLimitKey(
    ClientAddress.find(
      { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded as string } },
      TrustedProxies.create(options),
    ),
  )

describe('ClientAddress.find without trusted proxies', () => {
  it.each([{}, { trustedProxies: ['10.0.0.0/8'] }])(
    'does not look at forwarding headers with %j',
    (options) => {
      const headers = {
        get 'x-forwarded-for'(): string {
          throw new TypeError('the header was read')
        },
      }
      const found = ClientAddress.find(
        { socket: { remoteAddress: '203.0.113.9' }, headers },
        TrustedProxies.create(options),
      )
      expect(found).toEqual({ family: 'ipv4', text: '203.0.113.9' })
    },
  )
})

describe('IpAddress.toLimitKey', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:0102:0304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::ffff', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    [' 1.2.3.4 ', '1.2.3.4'],
    ['256.1.1.1', 'unknown'],
    ['1.2.3', 'unknown'],
    ['2001:db8::1::2', 'unknown'],
    ['localhost', 'unknown'],
    ['', 'unknown'],
  ])('returns the rate-limit key for the address %j: %s', (text, key) => {
    expect(IpAddress.toLimitKey(IpAddress.parse(text))).toBe(key)
  })

  it('returns the same rate-limit key for all addresses in an IPv6 /64, and a different key outside of it', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
    const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), groups(4), (network, one, other, outside) => {
        fc.pre(network[0] !== '0' && outside[0] !== '0' && network.join() !== outside.join())
        const key = (parts: readonly string[]) => IpAddress.toLimitKey(IpAddress.parse(parts.join(':')))
        expect(key([...network, ...one])).toBe(key([...network, ...other]))
        expect(key([...network, ...one])).not.toBe(key([...outside, ...one]))
      }),
    )
  })
})

describe('IpAddress.isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['::2', false],
    ['x', false],
  ])('determines whether %s is a loopback address: %s', (text, isLoopback) => {
    expect(IpAddress.isLoopback(IpAddress.parse(text))).toBe(isLoopback)
  })
})

describe('ClientAddress.find without proxies', () => {
  it.each([
    ['1.2.3.4', '9.9.9.9', '1.2.3.4'],
    ['1.2.3.4', undefined, '1.2.3.4'],
    [undefined, undefined, 'unknown'],
    [undefined, '9.9.9.9', 'unknown'],
  ])('returns the peer address %s and ignores the forwarded header %s', (peer, forwarded, key) => {
    expect(keyOf(peer, forwarded, {})).toBe(key)
    expect(keyOf(peer, forwarded, { proxies: 0, trustedProxies: [] })).toBe(key)
  })
})

describe('ClientAddress.find with a number of proxies', () => {
  it.each([
    ['1.2.3.4', '6.6.6.6, 9.9.9.9', 1, '9.9.9.9'],
    ['1.2.3.4', '6.6.6.6, 9.9.9.9, 8.8.8.8', 2, '9.9.9.9'],
    ['1.2.3.4', '6.6.6.6, garbage, 8.8.8.8', 1, '8.8.8.8'],
    ['1.2.3.4', '6.6.6.6, 2001:db8::1', 1, '2001:db8:0:0::/64'],
    [undefined, '6.6.6.6, 9.9.9.9', 1, '9.9.9.9'],
  ])(
    'finds the client address for peer %s, forwarded header %j and %i proxies: %s',
    (peer, forwarded, proxies, key) => {
      expect(keyOf(peer, forwarded, { proxies })).toBe(key)
    },
  )

  it.each([
    [undefined, 1, /at least 1 entry, .* got 0/],
    ['', 1, /at least 1 entry, .* got 0/],
    [' ', 1, /at least 1 entry, .* got 0/],
    ['9.9.9.9', 2, /at least 2 entries, .* got 1/],
    ['127.0.0.1', 2, /at least 2 entries, .* got 1/],
    ['9.9.9.9', 3, /at least 3 entries, .* got 1/],
    ['x'.repeat(9_999), 1, /expected an IP address as entry 1 from the right, got "x{60}"/],
    ['127.0.0.1, garbage', 1, /as entry 1 from the right, got "garbage"/],
    ['127.0.0.1, garbage, 8.8.8.8', 2, /as entry 2 from the right, got "garbage"/],
    ['127.0.0.1, , 8.8.8.8', 2, /as entry 2 from the right, got ""/],
    ['127.0.0.1, unix:', 1, /as entry 1 from the right, got "unix:"/],
    ['127.0.0.999', 1, /as entry 1 from the right, got "127.0.0.999"/],
  ])(
    'refuses the forwarded header %j with %i proxies instead of using another address',
    (forwarded, proxies, message) => {
      expect(() => keyOf('127.0.0.1', forwarded, { proxies })).toThrow(
        expect.objectContaining({ code: 'HTTP_FORWARDED', message: expect.stringMatching(message) }),
      )
    },
  )
})

describe('ClientAddress.find with trusted networks', () => {
  const trustedProxies = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::ffff:172.16.0.0/108']
  it.each([
    ['10.0.0.1', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
    ['10.0.0.1', '6.6.6.6, 9.9.9.9, 192.0.2.1, 10.9.9.9', '9.9.9.9'],
    ['::ffff:10.0.0.1', '9.9.9.9', '9.9.9.9'],
    ['10.0.0.1', '9.9.9.9, ::ffff:0a00:0002', '9.9.9.9'],
    ['10.0.0.1', '9.9.9.9, 172.16.0.5:4711', '9.9.9.9'],
    ['fd00::7', '2001:db8::1, fd12::1', '2001:db8:0:0::/64'],
    ['192.0.2.2', '9.9.9.9', '192.0.2.2'],
    ['1.2.3.4', '9.9.9.9, 10.0.0.1', '1.2.3.4'],
    ['10.0.0.1', '9.9.9.9, garbage', '10.0.0.1'],
    ['10.0.0.1', '9.9.9.9, garbage, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '9.9.9.9,', '10.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [undefined, '9.9.9.9', 'unknown'],
  ])('finds the client address for peer %s and forwarded header %j: %s', (peer, forwarded, key) => {
    expect(keyOf(peer, forwarded, { trustedProxies })).toBe(key)
  })

  it('treats repeated forwarded headers as one list', () => {
    expect(keyOf('10.0.0.1', ['6.6.6.6', '9.9.9.9, 10.0.0.2'], { trustedProxies })).toBe('9.9.9.9')
  })
})

it('ignores addresses that the caller forged in the forwarded header', () => {
  const entry = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ maxLength: 20 }).filter((text) => !/\n|\r/.test(text)),
  )
  const ways = fc.constantFrom<TrustedProxies.Options>({ proxies: 2 }, { trustedProxies: ['10.0.0.0/8'] }, {})
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), ways, (forged, options) => {
      // Caller 203.0.113.9 connects to proxy 10.0.0.8, which connects to proxy 10.0.0.7, which connects to
      // this server.
      const header = [...forged, '203.0.113.9', '10.0.0.8'].join(', ')
      const expected = options === undefined || Object.keys(options).length === 0 ? '10.0.0.7' : '203.0.113.9'
      expect(keyOf('10.0.0.7', header, options)).toBe(expected)
    }),
  )
})

describe('TrustedProxies.create', () => {
  it.each([
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::ffff:0:0/96', '203.0.113.9', true],
    ['::/0', '2001:db8::1', true],
    ['10.0.0.7/32', '10.0.0.7', true],
    ['10.0.0.7/32', '10.0.0.6', false],
    ['fd00::1/128', 'fd00::1', true],
    ['fd00::1/128', 'fd00::', false],
    [' 10.0.0.7 ', '10.0.0.7', true],
  ])('determines whether the trusted network %j contains the address %s: %s', (network, text, isTrusted) => {
    const trusted = TrustedProxies.create({ trustedProxies: [network] })
    const address = IpAddress.parse(text)
    expect(trusted.kind === 'networks' && address !== undefined && trusted.has(address)).toBe(isTrusted)
  })

  it('trusts no proxy by default', () => {
    expect(
      [{}, { proxies: 1 }, { trustedProxies: ['::1'] }].map(TrustedProxies.create).map(TrustedProxies.isAny),
    ).toEqual([false, true, true])
  })

  it.each([
    [{ proxies: 1, trustedProxies: ['10.0.0.1'] }, /cannot be combined/],
    [{ proxies: -1 }, /--proxies: expected a whole number of at least 0, got -1/],
    [{ proxies: 1.5 }, /--proxies/],
    [{ trustedProxies: ['10.0.0.0/33'] }, /--trusted-proxies: .* got "10\.0\.0\.0\/33"/],
    [{ trustedProxies: ['::ffff:1.2.3.4/90'] }, /--trusted-proxies/],
    [{ trustedProxies: ['::ffff:0:0/95'] }, /--trusted-proxies/],
    [{ trustedProxies: ['fd00::/129'] }, /--trusted-proxies/],
    [{ trustedProxies: ['10.0.0.1:80'] }, /--trusted-proxies/],
    [{ trustedProxies: ['proxy.local'] }, /--trusted-proxies/],
    [{ trustedProxies: ['10.0.0.1/'] }, /--trusted-proxies/],
  ])('rejects the proxy options %j', (options, message) => {
    expect(() => TrustedProxies.create(options)).toThrow(
      expect.objectContaining({ code: 'HTTP_CONFIGURATION', message: expect.stringMatching(message) }),
    )
  })
})
