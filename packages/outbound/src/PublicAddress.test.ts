import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublic } from './PublicAddress.ts'

/** First and last address of every special-purpose block in IANA's registries, copied by hand. */
const SPECIAL = `
0.0.0.0 0.255.255.255
10.0.0.0 10.255.255.255
100.64.0.0 100.127.255.255
127.0.0.0 127.255.255.255
169.254.0.0 169.254.169.254 169.254.255.255
172.16.0.0 172.31.255.255
192.0.0.0 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.255
192.0.2.0 192.0.2.255
192.31.196.0 192.31.196.255
192.52.193.0 192.52.193.255
192.88.99.0 192.88.99.255
192.168.0.0 192.168.255.255
192.175.48.0 192.175.48.255
198.18.0.0 198.19.255.255
198.51.100.0 198.51.100.255
203.0.113.0 203.0.113.255
224.0.0.0 239.255.255.255
240.0.0.0 255.255.255.255
:: ::1 ::7f00:1 ::127.0.0.1 ::8.8.8.8
::ffff:0.0.0.0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:255.255.255.255 ::ffff:0:127.0.0.1
64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::192.168.1.1 64:ff9b::224.0.0.1 64:ff9b::ffff:ffff
64:ff9b:0:0:1::8.8.8.8 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
100:: 100::ffff:ffff:ffff:ffff 100:0:0:1::1
200:: 1fff:ffff::
2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:a00:1:: 2001:1::1 2001:1::2 2001:1::3
2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::
2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 2002:ffff:ffff:ffff::
2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
4000:: 5f00:: 5f00:ffff::
fc00:: fd00:ec2::254 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fe80:: fe80::1%eth0 febf:: fec0:: feff:: ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2a00:1450::8%eth0
`

/** Addresses next to the special-purpose blocks, and addresses of well-known servers. */
const PUBLIC = `
1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0
192.31.195.255 192.31.197.0 192.52.192.255 192.52.194.0 192.88.98.255 192.88.100.0
192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0 198.17.255.255 198.20.0.0
198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
64:ff9b::8.8.8.8 64:ff9b::101:101
2000:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2001:ffff::
2003:: 2606:4700:4700::1111 2620:4f:7fff:: 2620:4f:8001:: 2a00:1450:4001:: 3ffe:ffff:: 3fff:1000::
`

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

test.each(words(SPECIAL))('rejects %s as not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each(words(PUBLIC))('accepts %s as public', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '8.8.8.8 ',
  '[::1]',
  '1.2.3',
  'x',
])('rejects "%s", because it is not an address', (text) => {
  expect(isPublic(text)).toBe(false)
})

test('treats an IPv4 address and its NAT64 form alike, and rejects IPv6 addresses that embed an IPv4 address in another way', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      expect(isPublic(`64:ff9b::${hex}`)).toBe(isPublic(address))
      for (const carried of [`::ffff:${address}`, `::${address}`, `2002:${hex}::1`, `2001:0:${hex}::1`])
        expect(isPublic(carried)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})
