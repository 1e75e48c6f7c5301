import { expect, test } from 'vitest'
import { check, refuse, type TargetPolicy } from './OutboundTarget.ts'
import { isPublic } from './PublicAddress.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'outside.example': ['93.184.215.14'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['93.184.215.14', '10.0.0.7'],
  'many.example': Array.from({ length: 9 }, (_, i) => `8.8.8.${i}`),
}
const STRICT: TargetPolicy = {
  resolve: async (name) => NAMES[name] ?? [],
  isPublic,
  plainHttp: false,
  ports: [443, 8443],
}
const WITH_INSIDE: TargetPolicy = { ...STRICT, isInside: (address) => address.startsWith('10.') }
const signal = new AbortController().signal

test.each([
  ['https://outside.example/a', undefined, undefined],
  ['https://outside.example:8443/', undefined, undefined],
  ['https://outside.example:22/', 'uri-port', undefined],
  ['http://outside.example/', 'uri-scheme', undefined],
  ['ftp://outside.example/', 'uri-scheme', 'uri-scheme'],
  ['https://name:secret@outside.example/', 'uri-credentials', 'uri-credentials'],
  ['https://127.0.0.1/', 'uri-address', 'uri-address'],
  ['https://[::ffff:127.0.0.1]/', 'uri-address', 'uri-address'],
  ['https://2130706433/', 'uri-address', 'uri-address'],
  ['https://169.254.169.254/', 'uri-address', 'uri-address'],
  ['http://10.0.0.7:8080/', 'uri-scheme', undefined],
])('judges %s before its name is resolved', (url, strict, withInside) => {
  expect(refuse(new URL(url), STRICT)).toBe(strict)
  expect(refuse(new URL(url), WITH_INSIDE)).toBe(withInside)
})

test.each([
  ['https://outside.example/', undefined, undefined],
  ['https://inside.example/', 'uri-address', undefined],
  ['http://inside.example:8080/', 'uri-scheme', undefined],
  ['https://both.example/', 'uri-address', 'uri-address'],
  ['http://outside.example/', 'uri-scheme', 'uri-scheme'],
  ['https://outside.example:22/', 'uri-port', 'uri-port'],
  ['https://unknown.example/', 'name-not-found', 'name-not-found'],
])('judges %s by all addresses of its name', async (url, strict, withInside) => {
  const failureOf = async (policy: TargetPolicy) => {
    const checked = await check(new URL(url), policy, signal)
    return 'failure' in checked ? checked.failure : undefined
  }
  expect(await failureOf(STRICT)).toBe(strict)
  expect(await failureOf(WITH_INSIDE)).toBe(withInside)
})

test('returns at most four addresses', async () => {
  expect(await check(new URL('https://many.example/'), STRICT, signal)).toEqual({
    addresses: ['8.8.8.0', '8.8.8.1', '8.8.8.2', '8.8.8.3'],
  })
})
