import { expect, test } from 'vitest'
import * as Endpoint from './Endpoint.ts'
import { codeOf } from './testing/vectors.ts'

test.each([
  ['1.2.3.4:9651', '1.2.3.4', 9651, '01020304'],
  ['[::]:0', '::', 0, '00'.repeat(16)],
  ['[::1]:1', '::1', 1, `${'00'.repeat(15)}01`],
  ['[2001:db8::ff00:42:8329]:65535', '2001:db8::ff00:42:8329', 65535, '20010db8000000000000ff0000428329'],
  ['[1:2:3:4:5:6:7:8]:9', '1:2:3:4:5:6:7:8', 9, '00010002000300040005000600070008'],
  ['[fe80::]:9', 'fe80::', 9, `fe80${'00'.repeat(14)}`],
  ['[1:0:0:2::]:9', '1:0:0:2::', 9, `0001000000000002${'00'.repeat(8)}`],
])('parses and formats %s', (text, host, port, bytes) => {
  expect(Endpoint.parse(text)).toEqual({ host, port })
  expect(Endpoint.format({ host, port })).toBe(text)
  expect(Buffer.from(Endpoint.addressBytes(host)).toString('hex')).toBe(bytes)
  expect(Endpoint.formatAddress(Endpoint.addressBytes(host))).toBe(host)
})

test('treats an IPv4 address mapped into IPv6 as IPv4', () => {
  expect(Endpoint.addressBytes('::ffff:1.2.3.4')).toEqual(Uint8Array.of(1, 2, 3, 4))
  expect(Endpoint.formatAddress(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4))).toBe(
    '1.2.3.4',
  )
})

test.each([
  '',
  ':1',
  '1.2.3.4',
  '1.2.3.4:',
  '1.2.3.4:65536',
  '1.2.3.4:-1',
  '::1:1',
  '[1.2.3.4]:1',
  'localhost:1',
  '[::1]1',
])('rejects %j', (text) => {
  expect(codeOf(() => Endpoint.parse(text))).toBe('P2P_ARGUMENT')
})

test('rejects host names and addresses of the wrong length', () => {
  expect(codeOf(() => Endpoint.addressBytes('localhost'))).toBe('P2P_IP')
  expect(codeOf(() => Endpoint.normalize(new Uint8Array(5)))).toBe('P2P_IP')
})

test.each([
  ['127.0.0.1', true, true],
  ['127.9.9.9', true, true],
  ['::1', true, true],
  ['10.1.2.3', false, true],
  ['192.168.1.1', false, true],
  ['fd00::1', false, true],
  ['8.8.8.8', false, false],
  ['2001:4860::8888', false, false],
])('classifies %s: loopback %s, private %s', (host, isLoopback, isPrivate) => {
  expect(Endpoint.isLoopback(host)).toBe(isLoopback)
  expect(Endpoint.isPrivate(host)).toBe(isPrivate)
})
