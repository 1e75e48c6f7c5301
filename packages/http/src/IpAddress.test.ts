import { describe, expect, it } from 'vitest'
import * as IpAddress from './IpAddress.ts'

describe('IpAddress.parse', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['255.0.255.128', '255.0.255.128'],
    ['1.2.3.4:65535', '1.2.3.4'],
    ['::ffff:255.0.254.1', '255.0.254.1'],
    ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['00A0:0b:0:0:0:0:0:1', 'a0:b:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['1::', '1:0:0:0:0:0:0:0'],
    ['1:2:3::6:7:8', '1:2:3:0:0:6:7:8'],
    ['[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['::1.2.3.4', '0:0:0:0:0:0:102:304'],
    ['64:ff9b::255.2.3.4', '64:ff9b:0:0:0:0:ff02:304'],
    ['::fffe:1.2.3.4', '0:0:0:0:0:fffe:102:304'],
    ['1::ffff:1.2.3.4', '1:0:0:0:0:ffff:102:304'],
    ['::1:ffff:1.2.3.4', '0:0:0:0:1:ffff:102:304'],
  ])('parses %s as %s', (text, expected) => {
    const family = expected.includes(':') ? 'ipv6' : 'ipv4'
    expect(IpAddress.parse(text)).toEqual({ family, text: expected })
  })

  it.each(['1.2.3.4:', '1.2.3.4:123456', '[::1', '::1]', '[::1]:', '[::1]:123456', '[]', '1:2:3:4:5:6:7'])(
    'rejects %s',
    (text) => {
      expect(IpAddress.parse(text)).toBeUndefined()
    },
  )
})

describe('IpAddress.toLimitKeys', () => {
  it.each([
    ['1.2.3.4', ['1.2.3.4 x1']],
    ['::ffff:1.2.3.4', ['1.2.3.4 x1']],
    ['2001:db8:1:2::5', ['2001:db8:1:2::/64 x1', '2001:db8:1::/48 x16']],
    ['nobody', ['unknown x1']],
  ])('limits %s by its address or /64, and an IPv6 address also by its /48: %j', (text, expected) => {
    const keys = IpAddress.toLimitKeys(IpAddress.parse(text))
    expect(keys.map(({ key, factor }) => `${key} x${factor}`)).toEqual(expected)
  })

  it('gives all networks of a /48 one common name', () => {
    const siteOf = (text: string) => IpAddress.toLimitKeys(IpAddress.parse(text))[1]?.key
    expect(siteOf('2001:db8:1:ffff::1')).toBe(siteOf('2001:db8:1::1'))
    expect(siteOf('2001:db8:2::1')).not.toBe(siteOf('2001:db8:1::1'))
  })
})
