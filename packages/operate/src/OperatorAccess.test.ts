import { randomBytes } from 'node:crypto'
import { ApiKey } from '@firn/http'
import { describe, expect, it, test } from 'vitest'
import * as LocalAccess from './LocalAccess.ts'
import * as OperatorAccess from './OperatorAccess.ts'
import * as OperatorLink from './OperatorLink.ts'

const texts = Object.fromEntries(
  [...ApiKey.SCOPES, 'revoked', 'unknown'].map((name) => [name, ApiKey.generate(randomBytes)]),
) as Record<ApiKey.Scope | 'revoked' | 'unknown', string>
const stored = (name: ApiKey.Scope | 'revoked', scopes: readonly ApiKey.Scope[]): ApiKey.StoredKey => ({
  ...{ hint: ApiKey.hint(texts[name]), name, hash: ApiKey.hash(texts[name]), scopes, createdAt: 0 },
  ...{ unitsPerMinute: undefined, unitsPerDay: undefined },
  revokedAt: name === 'revoked' ? 1 : undefined,
})
const KEYS = [...ApiKey.SCOPES.map((scope) => stored(scope, [scope])), stored('revoked', ['admin'])]

const TOKEN = `firnop_${'t'.repeat(43)}`
const START = 1_795_000_000_000

interface Sent {
  readonly peer?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly port?: number
}

const PORT = 8700
const requestOf = ({ peer = '127.0.0.1', headers = {}, port = PORT }: Sent) => ({
  headers: { host: '127.0.0.1:8700', ...headers },
  socket: { remoteAddress: peer, localPort: port },
})
const outcomeOf = async (work: () => unknown): Promise<string> => {
  try {
    return String(await work())
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

/** A service whose clock the test moves. */
const service = ({ keys = async () => KEYS, hasToken = true } = {}) => {
  const clock = { now: START }
  const options = { now: () => clock.now, random: randomBytes }
  const local = hasToken ? LocalAccess.create(TOKEN, options) : undefined
  const access = { keys, local }
  return {
    clock,
    options,
    ask: (sent: Sent = {}) => outcomeOf(() => OperatorAccess.admit(requestOf(sent), access)),
    signIn: (code: string, sent: Sent = {}) =>
      OperatorAccess.signIn(
        requestOf({ ...sent, headers: { ...sent.headers, [OperatorAccess.CODE_HEADER]: code } }),
        access,
      ),
    messageOf: (sent: Sent) =>
      OperatorAccess.admit(requestOf(sent), access).catch(({ message }: Error) => message),
  }
}

const FOREIGN = '203.0.113.9'
const token = { [OperatorAccess.TOKEN_HEADER]: TOKEN }
const key = (name: keyof typeof texts) => ({ 'x-data-api-key': texts[name] })

describe('the token of the data folder', () => {
  test.each<[string, Sent, string]>([
    ['from this machine', { headers: token }, 'local'],
    ['over IPv6', { peer: '::1', headers: { ...token, host: '[::1]:8700' } }, 'local'],
    ['as localhost', { headers: { ...token, host: 'localhost' } }, 'local'],
    ['from the console', { headers: { ...token, origin: 'http://127.0.0.1:8700' } }, 'local'],
    ['from another machine', { peer: FOREIGN, headers: token }, 'OPERATE_CALLER'],
    ['without an address', { peer: '', headers: token }, 'OPERATE_CALLER'],
    [
      'with one wrong character',
      { headers: { 'x-operator-token': `${TOKEN.slice(0, -1)}x` } },
      'OPERATE_TOKEN',
    ],
    ['with a part of it', { headers: { 'x-operator-token': TOKEN.slice(0, -1) } }, 'OPERATE_TOKEN'],
    [
      'in another header',
      { headers: { authorization: `Bearer ${TOKEN}`, cookie: `t=${TOKEN}` } },
      'OPERATE_CALLER',
    ],
  ])('decides about a request %s', async (_name, sent, outcome) => {
    expect(await service().ask(sent)).toBe(outcome)
  })

  it('is needed: an address alone never makes an operator', async () => {
    for (const peer of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', ''])
      expect([peer, await service().ask({ peer })]).toEqual([peer, 'OPERATE_CALLER'])
  })

  it('does not exist without a writable data folder', async () => {
    expect(await service({ hasToken: false }).ask({ headers: token })).toBe('OPERATE_TOKEN')
  })

  test.each([
    ...['evil.example', 'evil.example:8700', '127.0.0.1.evil.example', 'localhost.evil.example', ''],
    ...['10.0.0.1', '127.0.0.999', '127.0.0.256', '127.1', '2130706433', '0177.0.0.1', '0.0.0.0'],
    ...['localhost.', 'localhost:99999', 'localhost:99999x', '127.0.0.1:80:80', '127.0.0.1@evil.example'],
    ...['[::1]:1@evil', '[::ffff:127.0.0.1]', '::1', '[::1', 'localhost:', '127.0.0.1:-1'],
  ])('does not count for the host %j', async (host) => {
    expect(await service().ask({ headers: { ...token, host } })).toBe('OPERATE_SITE')
  })

  test.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'http://127.0.0.1:9999' },
    { origin: 'https://127.0.0.1:8700.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none, cross-site' },
  ])('does not count for a page of another origin: %j', async (headers) => {
    expect(await service().ask({ headers: { ...token, ...headers } })).toBe('OPERATE_SITE')
  })

  test.each([
    ...['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'X-Forwarded-Proto', 'X-Client-IP', 'Client-IP'],
    ...['CF-Connecting-IP', 'CF-Ray', 'True-Client-IP', 'X-Original-Forwarded-For', 'X-Cluster-Client-IP'],
    ...['Fastly-Client-IP', 'Fastly-FF', 'X-ProxyUser-Ip', 'X-Envoy-External-Address', 'X-Envoy-Internal'],
    ...['X-Originating-IP', 'Proxy-Client-IP', 'X-Forwarded', 'X-Azure-ClientIP', 'X-Azure-Ref', 'X-Host'],
    ...['X-Appengine-User-IP', 'Fly-Client-IP', 'X-Amzn-Trace-Id', 'X-Forwarded-Host', 'X-Forwarded-Server'],
    ...['X-NginX-Proxy', 'X-Replaced-Path', 'Tailscale-User-Login', 'Disguised-Host', 'SSL-Client-Verify'],
    ...['X-Forwarded-Port', 'X-Remote-Addr', 'X-Amz-Cf-Id', 'CloudFront-Viewer-Address', 'Akamai-Origin-Hop'],
    ...[
      'CDN-Loop',
      'X-Vercel-Id',
      'WL-Proxy-Client-IP',
      'X-Original-URL',
      'X-Rewrite-URL',
      'Z-Forwarded-For',
    ],
  ])('does not count with the header %s of a proxy', async (name) => {
    const headers = { ...token, [name.toLowerCase()]: '127.0.0.1' }
    expect(await service().ask({ headers })).toBe('OPERATE_CALLER')
  })
})

describe('a key that is sent', () => {
  test.each<[keyof typeof texts, string]>([
    ['admin', 'key '],
    ...ApiKey.CALLER_SCOPES.map((scope): [ApiKey.Scope, string] => [scope, 'OPERATE_SCOPE']),
    ['revoked', 'OPERATE_KEY'],
    ['unknown', 'OPERATE_KEY'],
  ])('decides alone, from any machine and also with a token: %s', async (name, outcome) => {
    for (const sent of [
      { peer: FOREIGN, headers: { host: 'firn.example', ...key(name) } },
      { headers: key(name) },
      { headers: { ...key(name), ...token } },
    ])
      expect(await service().ask(sent)).toContain(outcome)
  })

  it('needs the scope admin among its scopes', async () => {
    const keys = async () => [stored('data', ApiKey.CALLER_SCOPES)]
    expect(await service({ keys }).ask({ headers: key('data') })).toBe('OPERATE_SCOPE')
  })

  it('is recommended by services that have keys only', async () => {
    const without = { keys: undefined, local: undefined }
    const message = await OperatorAccess.admit(requestOf({}), without).catch(({ message }: Error) => message)
    expect(message).toMatch(/firn operate link/)
    expect(message).not.toMatch(/keys create/)
    expect(await service().messageOf({})).toMatch(
      /firn operate link.*keys create --name <name> --scope admin/,
    )
  })
})

describe('a link', () => {
  const MINUTE = 60_000
  const codeFor = ({ options }: ReturnType<typeof service>, port = PORT) => {
    const link = OperatorLink.create(TOKEN, `http://127.0.0.1:${port}`, options)
    const [, code = ''] = /^http:\/\/127\.0\.0\.1:\d+\/#operator=([\w-]+)$/.exec(link) ?? []
    return code
  }

  it('is exchanged for a token with the rights of the token of the data folder, for twelve hours', async () => {
    const one = service()
    const session = one.signIn(codeFor(one))
    expect(session).not.toBe(TOKEN)
    const headers = { [OperatorAccess.TOKEN_HEADER]: session }
    expect(await one.ask({ headers })).toBe('local')
    expect(await one.ask({ headers: { ...headers, 'x-real-ip': FOREIGN } })).toBe('OPERATE_CALLER')
    expect(await one.ask({ headers, peer: FOREIGN })).toBe('OPERATE_CALLER')
    one.clock.now += 12 * 60 * MINUTE
    expect(await one.ask({ headers })).toBe('OPERATE_TOKEN')
  })

  it('works once', async () => {
    const one = service()
    const code = codeFor(one)
    expect(one.signIn(code)).toMatch(/^firnop_/)
    expect(await outcomeOf(() => one.signIn(code))).toBe('OPERATE_LINK')
    // Other spellings of the same bytes.
    for (const other of [`${code}=`, ` ${code}`, code.replaceAll('-', '+').replaceAll('_', '/')])
      expect(await outcomeOf(() => one.signIn(other))).toBe('OPERATE_LINK')
    expect(one.signIn(codeFor(one))).toMatch(/^firnop_/)
  })

  it('ends with the process, which alone knows that it was used', async () => {
    const one = service()
    const code = codeFor(one)
    one.clock.now += 1_000
    const restarted = LocalAccess.create(TOKEN, one.options)
    expect(restarted.exchange(code, PORT)).toBeUndefined()
    expect(restarted.exchange(codeFor(one), PORT)).toMatch(/^firnop_/)
  })

  it('works for ten minutes', async () => {
    const one = service()
    const codes = [codeFor(one), codeFor(one)] as const
    one.clock.now += 10 * MINUTE - 1_000
    expect(one.signIn(codes[0])).toMatch(/^firnop_/)
    one.clock.now += 1_000
    expect(await outcomeOf(() => one.signIn(codes[1]))).toBe('OPERATE_LINK')
  })

  it('works for the service at its port only', async () => {
    const one = service()
    expect(await outcomeOf(() => one.signIn(codeFor(one, PORT + 1)))).toBe('OPERATE_LINK')
  })

  it('works only if its code belongs to the token', async () => {
    const one = service()
    const code = codeFor(one)
    const bytes = Buffer.from(code, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(await outcomeOf(() => one.signIn(changed.toString('base64url')))).toBe('OPERATE_LINK')
    }
    for (const text of ['', 'x', code.slice(0, -2), code + code, TOKEN])
      expect(await outcomeOf(() => one.signIn(text))).toBe('OPERATE_LINK')
    expect(one.signIn(code)).toMatch(/^firnop_/)
  })

  test.each<[string, Sent, string]>([
    ['another machine', { peer: FOREIGN }, 'OPERATE_CALLER'],
    ['a proxy', { headers: { via: '1.1 proxy' } }, 'OPERATE_CALLER'],
    ['another host', { headers: { host: 'evil.example' } }, 'OPERATE_SITE'],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 'OPERATE_SITE'],
  ])('is refused from %s, and can be used afterwards', async (_name, sent, outcome) => {
    const one = service()
    const code = codeFor(one)
    expect(await outcomeOf(() => one.signIn(code, sent))).toBe(outcome)
    expect(one.signIn(code)).toMatch(/^firnop_/)
  })

  it('signs out the oldest of more than a hundred browsers', async () => {
    const one = service()
    const sessions = Array.from({ length: 101 }, () => one.signIn(codeFor(one)))
    const ask = (session: string | undefined) =>
      one.ask({ headers: { [OperatorAccess.TOKEN_HEADER]: session ?? '' } })
    expect([await ask(sessions[0]), await ask(sessions[1])]).toEqual(['OPERATE_TOKEN', 'local'])
  })
})
