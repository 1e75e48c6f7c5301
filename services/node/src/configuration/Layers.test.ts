import { describe, expect, test } from 'vitest'
import * as Help from './Help.ts'
import * as Layers from './Layers.ts'
import { type Configuration, kebab, NAMES, variables } from './Options.ts'

type Given = {
  argv?: readonly string[]
  environment?: Record<string, string>
  files?: Record<string, string>
}

function resolve({ argv = [], environment = {}, files = {} }: Given): Configuration {
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
    return text
  }
  const wish = Layers.resolve({ argv, environment, readFile })
  if (wish.kind !== 'run') throw new Error(`asked for ${wish.kind}`)
  return wish.configuration
}

describe('defaults are the node’s', () => {
  test.each([
    ['httpHost', '127.0.0.1'],
    ['httpPort', 8701],
    ['httpAllowedOrigins', ['*']],
    ['httpAllowedHosts', ['localhost']],
    ['httpReadTimeout', 30_000],
    ['httpIdleTimeout', 120_000],
    ['apiAdminEnabled', false],
    ['apiAdminAllowRemote', false],
    ['apiInfoEnabled', true],
    ['indexEnabled', false],
    ['stakingPort', 9651],
    ['networkId', undefined],
  ] as const)('%s', (name, value) => expect(resolve({})[name]).toEqual(value))
})

describe('layers', () => {
  test('count in their order: file, environment, flag', () => {
    const files = {
      'f.json': '{"http-port": 1, "http-host": "file", "data-dir": "/file", "log-level": "warn"}',
    }
    const environment = { AVAGO_CONFIG_FILE: 'f.json', AVAGO_HTTP_PORT: '2', AVAGO_HTTP_HOST: 'environment' }
    const configuration = resolve({ argv: ['--http-port=3'], environment, files })
    expect(configuration).toMatchObject({
      httpPort: 3,
      httpHost: 'environment',
      dataDir: '/file',
      logLevel: 'WARN',
    })
  })

  test('FIRN_ counts before AVAGO_, and alone for what nodes do not know', () => {
    const environment = {
      AVAGO_HTTP_PORT: '1',
      FIRN_HTTP_PORT: '2',
      FIRN_DATABASE_URL: 'postgres://x/y',
      AVAGO_FROM: 'no',
    }
    expect(resolve({ environment })).toMatchObject({ httpPort: 2, databaseUrl: 'postgres://x/y', from: '' })
  })

  test('the file may come in base64', () => {
    const content = Buffer.from('{"index-enabled":true}').toString('base64')
    expect(resolve({ argv: ['--config-file-content', content] }).indexEnabled).toBe(true)
    expect(resolve({ environment: { AVAGO_CONFIG_FILE_CONTENT: content } }).indexEnabled).toBe(true)
  })

  test('folders are made from the data folder and the environment', () => {
    const configuration = resolve({ argv: ['--data-dir', '$HOME/here'], environment: { HOME: '/me' } })
    expect(configuration).toMatchObject({
      dataDir: '/me/here',
      profileDir: '/me/here/profiles',
      stakingTlsKeyFile: '/me/here/staking/staker.key',
    })
    expect(resolve({ environment: { HOME: '/me' } }).dataDir).toBe('/me/.firn')
  })
})

describe('flags', () => {
  test.each([
    [['--index-enabled'], { indexEnabled: true }],
    [['--index-enabled=true', '--api-info-enabled=false'], { indexEnabled: true, apiInfoEnabled: false }],
    [['--http-port', '0'], { httpPort: 0 }],
    [['--http-host='], { httpHost: '' }],
    [['--network-id=fuji'], { networkId: 5 }],
    [['--network-id', 'network-76'], { networkId: 76 }],
    [['--http-allowed-hosts=a, b', '--http-allowed-hosts', 'c'], { httpAllowedHosts: ['a', 'b', 'c'] }],
    [['--http-allowed-origins=https://a  https://b'], { httpAllowedOrigins: ['https://a', 'https://b'] }],
    [['--http-read-timeout=1m30.5s'], { httpReadTimeout: 90_500 }],
    [['--trusted-proxies=10.0.0.1,fd00::/8'], { trustedProxies: ['10.0.0.1', 'fd00::/8'] }],
    [['--proxies=2'], { proxies: 2 }],
    [['--http-shutdown-wait=250ms'], { httpShutdownWait: 250 }],
    [['--log-display-level=Verbo'], { logDisplayLevel: 'VERBO' }],
    [['--upstream=http://a,http://b:1/x?t=1'], { upstream: ['http://a', 'http://b:1/x?t=1'] }],
  ])('%j', (argv, expected) => expect(resolve({ argv })).toMatchObject(expected))

  test('help and version come before everything else', () => {
    const of = (argv: string[]) => Layers.resolve({ argv, environment: {}, readFile: () => '' }).kind
    expect([of(['--help', '--http-port=x']), of(['-v'])]).toEqual(['help', 'version'])
  })
})

describe('what can not be used is told with its place and what is allowed', () => {
  test.each<[string, Given]>([
    ['--http-port: expected a whole number from 0 to 65535, got "65536"', { argv: ['--http-port=65536'] }],
    ['--http-port: expected a value after it, got nothing', { argv: ['--http-port'] }],
    ['--index-enabled: expected true or false, got "yes"', { argv: ['--index-enabled=yes'] }],
    ['AVAGO_LOG_LEVEL: expected one of off, fatal,', { environment: { AVAGO_LOG_LEVEL: 'loud' } }],
    ['--http-read-timeout: expected a duration up to 24h', { argv: ['--http-read-timeout=30'] }],
    ['--http-read-timeout: expected a duration up to 24h', { argv: ['--http-read-timeout=25h'] }],
    ['--upstream: expected http(s) URLs parted by commas, got "ftp://a"', { argv: ['--upstream=ftp://a'] }],
    ['--network-id: expected mainnet, fuji, local,', { argv: ['--network-id=moon'] }],
    ['unknown flag --http-prot; did you mean --http-', { argv: ['--http-prot=1'] }],
    ['unknown flag --frobnicate; --help lists the flags', { argv: ['--frobnicate'] }],
    ['expected a flag, got "serve"', { argv: ['serve'] }],
    ['--trust-proxy was removed: it let callers', { argv: ['--trust-proxy'] }],
    ['--trust-proxy was removed: it let callers', { environment: { FIRN_TRUST_PROXY: '1' } }],
    [
      '--trust-proxy was removed: it let callers',
      { argv: ['--config-file=f'], files: { f: '{"trust-proxy":true}' } },
    ],
    ['exclude each other', { argv: ['--proxies=1', '--trusted-proxies=10.0.0.1'] }],
    ['--trusted-proxies: expected addresses or networks', { argv: ['--trusted-proxies=x'] }],
    [
      'config-file: expected a readable file, got "none.json" (ENOENT)',
      { argv: ['--config-file=none.json'] },
    ],
    ['f: expected a JSON object (', { argv: ['--config-file=f'], files: { f: '{' } }],
    ['f: expected a JSON object, got [1]', { argv: ['--config-file=f'], files: { f: '[1]' } }],
    [
      'f: unknown key "http_port"; did you mean --http-port?',
      { argv: ['--config-file=f'], files: { f: '{"http_port":1}' } },
    ],
    [
      'f: http-port: expected a whole number from 0 to 65535, got true',
      { argv: ['--config-file=f'], files: { f: '{"http-port":true}' } },
    ],
    [
      'f: track-subnets: expected texts parted by commas, got [1]',
      { argv: ['--config-file=f'], files: { f: '{"track-subnets":[1]}' } },
    ],
  ])('%s', (message, given) => expect(() => resolve(given)).toThrow(message))
})

test('the file takes JSON of its own kinds', () => {
  const json = {
    'http-port': '7',
    'index-enabled': true,
    'http-read-timeout': 5e9,
    'http-allowed-hosts': ['a'],
    'network-id': 76,
  }
  expect(resolve({ argv: ['--config-file=f'], files: { f: JSON.stringify(json) } })).toMatchObject({
    httpPort: 7,
    indexEnabled: true,
    httpReadTimeout: 5_000,
    httpAllowedHosts: ['a'],
    networkId: 76,
  })
})

test('every option is in the help and in the table', () => {
  for (const name of NAMES) {
    expect(Help.text('firn node')).toContain(`--${kebab(name)}`)
    for (const variable of [kebab(name), ...variables(name)])
      expect(Help.markdownTable()).toContain(`\`${variable}\``)
  }
})
