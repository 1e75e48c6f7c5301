import { Program } from '@firn/options'
import { describe, expect, it } from 'vitest'
import { type Configuration, check, createConfiguration } from './Configuration.ts'
import { OPTIONS } from './Options.ts'
import { RELAYER_KEYS } from './RelayerKeys.ts'

type Environment = Readonly<Record<string, string | undefined>>

function configure(
  argv: readonly string[],
  environment: Environment = {},
  files: Readonly<Record<string, string>> = {},
): Configuration {
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return text
  }
  const command = { options: OPTIONS, isService: true, otherPrefix: '', check }
  const parsed = Program.parse(command, { argv, environment, readFile })
  if (parsed.kind !== 'run') throw new Error(`expected a configuration, got ${parsed.kind}`)
  return parsed.values
}

describe('configuration file of the relayer', () => {
  const relayer = {
    'log-level': 'info',
    'p-chain-api': { 'base-url': 'http://127.0.0.1:9650' },
    'info-api': { 'base-url': 'http://127.0.0.1:9650' },
    'source-blockchains': [],
    'destination-blockchains': [],
    'api-port': 8080,
  }
  const command = { options: OPTIONS, isService: true, otherPrefix: '', otherKeys: RELAYER_KEYS, check }
  const read = (file: object) => {
    const notes: string[] = []
    const readFile = () => JSON.stringify(file)
    const sources = { environment: {}, readFile, note: (line: string) => notes.push(line) }
    const parsed = Program.parse(command, { argv: ['--config-file', 'c'], ...sources })
    return { notes, values: parsed.kind === 'run' ? parsed.values : undefined }
  }

  it('is read without the keys that only the relayer has, which a note names', () => {
    const { notes, values } = read(relayer)
    expect(values).toMatchObject({ apiPort: 8080, pChainApi: [{ baseUrl: 'http://127.0.0.1:9650' }] })
    expect(notes).toEqual(['c: ignored the keys of the relayer: source-blockchains, destination-blockchains'])
  })

  it('still rejects misspelled keys', () => {
    expect(() => read({ ...relayer, 'api-prot': 1 })).toThrow('unknown key "api-prot"')
  })
})

/** A configuration file of the Go signature-aggregator with all its keys. */
const GO_FILE = {
  'log-level': 'debug',
  'p-chain-api': {
    'base-url': 'https://api.avax-test.network',
    'query-parameters': { token: 'abc' },
    'http-headers': { 'x-key': 'def' },
  },
  'info-api': { 'base-url': 'https://api.avax-test.network' },
  'api-port': 8090,
  'metrics-port': 8091,
  'signature-cache-size': 1024,
  'allow-private-ips': true,
  'tracked-subnet-ids': ['249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'],
  'tls-cert-path': '$HOME/staker.crt',
  'tls-key-path': `$${'{HOME}'}/staker.key`,
  'manually-tracked-peers': [{ id: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', ip: '203.0.113.7:9651' }],
  'max-p-chain-lookback': -1,
  'validator-refresh-period-seconds': 30,
}

describe('layers', () => {
  it('uses the default configuration if no option is set', () => {
    expect(configure([])).toEqual(createConfiguration())
    expect(createConfiguration()).toMatchObject({
      host: '127.0.0.1',
      apiPort: 8080,
      network: 'auto',
      apiKeys: [],
    })
  })

  it('accepts the configuration file of the Go service unchanged', () => {
    expect(
      configure(['--config-file', 'go.json'], { HOME: '/keys' }, { 'go.json': JSON.stringify(GO_FILE) }),
    ).toEqual({
      ...createConfiguration(),
      dataDir: '/keys/.firn',
      logLevel: 'debug',
      pChainApi: [
        {
          baseUrl: 'https://api.avax-test.network',
          queryParameters: { token: 'abc' },
          httpHeaders: { 'x-key': 'def' },
        },
      ],
      infoApi: [{ baseUrl: 'https://api.avax-test.network', queryParameters: {}, httpHeaders: {} }],
      apiPort: 8090,
      metricsPort: 8091,
      signatureCacheSize: 1024,
      allowPrivateIps: true,
      trackedSubnetIds: GO_FILE['tracked-subnet-ids'],
      tlsCertPath: '/keys/staker.crt',
      tlsKeyPath: '/keys/staker.key',
      manuallyTrackedPeers: GO_FILE['manually-tracked-peers'],
      maxPChainLookback: -1,
      validatorRefreshPeriod: 30_000,
    })
  })

  it('prefers environment variables over the file, and flags over both', () => {
    const files = { 'c.json': '{"api-port":1,"host":"a","log-level":"warn"}' }
    const environment = { CONFIG_FILE: 'c.json', API_PORT: '2', FIRN_HOST: 'b', LOG_LEVEL: 'error' }
    expect(configure(['--host', 'c'], environment, files)).toMatchObject({
      apiPort: 2,
      host: 'c',
      logLevel: 'error',
    })
    expect(configure([], { API_PORT: '2', FIRN_API_PORT: '3' }).apiPort).toBe(3)
  })

  it('accepts environment variables without the FIRN_ prefix only for options of the Go service', () => {
    expect(configure([], { HOST: 'machine', NETWORK: 'fuji' })).toMatchObject({
      host: '127.0.0.1',
      network: 'auto',
    })
  })

  it('accepts lists as comma-separated text, repeated flags or JSON', () => {
    const urls = (argv: readonly string[]) => configure(argv).pChainApi.map(({ baseUrl }) => baseUrl)
    expect(urls(['--p-chain-api', 'http://a,http://b'])).toEqual(['http://a', 'http://b'])
    expect(urls(['--p-chain-api', 'http://a', '--p-chain-api', 'http://b'])).toEqual(['http://a', 'http://b'])
    expect(urls(['--p-chain-api', '{"base-url":"http://a"}'])).toEqual(['http://a'])
    expect(configure(['--api-keys', 'a,b']).apiKeys).toEqual(['a', 'b'])
    expect(configure(['--allow-private-ips', '--max-p-chain-lookback=-1'])).toMatchObject({
      allowPrivateIps: true,
      maxPChainLookback: -1,
    })
    expect(configure(['--no-allow-private-ips'], { ALLOW_PRIVATE_IPS: 'true' }).allowPrivateIps).toBe(false)
    expect(configure(['--trusted-proxies', '10.0.0.1,fd00::/8']).trustedProxies).toEqual([
      '10.0.0.1',
      'fd00::/8',
    ])
    expect(configure([], { FIRN_PROXIES: '2' }).proxies).toBe(2)
    expect(configure([], { VALIDATOR_REFRESH_PERIOD_SECONDS: '7' }).validatorRefreshPeriod).toBe(7_000)
    expect(configure(['--success-status=auto']).successStatus).toBe('auto')
    expect(configure(['--config-file=c'], {}, { c: '{"success-status":201}' }).successStatus).toBe('201')
  })
})

describe('invalid values', () => {
  const TRUST_PROXY = /^--trust-proxy was removed, .* Use --proxies <count> or --trusted-proxies <cidr,…>\.$/
  const ENOENT = /^config-file: cannot read the file "x\.json" \(ENOENT\)$/
  it.each<[argv: string[], environment: Environment, files: Record<string, string>, says: RegExp]>([
    [['--api-port', 'x'], {}, {}, /^--api-port: expected a whole number from 0 to 65535, got "x"$/],
    [
      ['--request-timeout', '86401s'],
      {},
      {},
      /^--request-timeout: expected a duration from 1s to 24h, such as .*, got "86401s"$/,
    ],
    [['--api-port', '65536'], {}, {}, /^--api-port: .* got "65536"$/],
    [
      ['--network', 'kovan'],
      {},
      {},
      /^--network: expected auto, mainnet, fuji, local, network-<id> or an id, got "kovan"$/,
    ],
    [['--agree', '0'], {}, {}, /^--agree: expected a whole number of at least 1, got "0"$/],
    [['--agree', '2'], {}, {}, /^agree: expected at most the number of P-chain APIs \(1\), got 2$/],
    [['--nonsense'], {}, {}, /^unknown option --nonsense$/],
    [['stray'], {}, {}, /^unexpected argument "stray"$/],
    [[], { ALLOW_PRIVATE_IPS: 'yes' }, {}, /^ALLOW_PRIVATE_IPS: expected true or false, got "yes"$/],
    [['--trust-proxy'], {}, {}, TRUST_PROXY],
    [['--trust-proxy=true'], {}, {}, TRUST_PROXY],
    [['--no-trust-proxy'], {}, {}, TRUST_PROXY],
    [[], { FIRN_TRUST_PROXY: 'true' }, {}, TRUST_PROXY],
    [['--config-file', 'c'], {}, { c: '{"trust-proxy":true}' }, TRUST_PROXY],
    [['--proxies', '1', '--trusted-proxies', '10.0.0.1'], {}, {}, /cannot be combined/],
    [['--trusted-proxies', 'x'], {}, {}, /^--trusted-proxies: expected addresses or networks .*, got "x"$/],
    [[], { API_PORT: '' }, {}, /^API_PORT: expected a whole number from 0 to 65535, got ""$/],
    [['--config-file', 'x.json'], {}, {}, ENOENT],
    [[], { FIRN_CONFIG_FILE: 'x.json' }, {}, ENOENT],
    [['--config-file', 'c'], {}, { c: '{' }, /^c: expected a JSON object \(/],
    [['--config-file', 'c'], {}, { c: '[]' }, /^c: expected a JSON object, got \[\]$/],
    [
      ['--config-file', 'c'],
      {},
      { c: '{"api-prot":1}' },
      /^c: unknown key "api-prot"; did you mean "api-port"\?$/,
    ],
    [['--config-file', 'c'], {}, { c: '{"apiPort":1}' }, /^c: unknown key "apiPort"/],
    [
      ['--config-file', 'c'],
      {},
      { c: '{"api-port":"x"}' },
      /^c: api-port: expected a whole number from 0 to 65535, got "x"$/,
    ],
    [
      ['--config-file', 'c'],
      {},
      { c: '{"p-chain-api":{"base-url":"x"}}' },
      /^c: p-chain-api: expected an http\(s\) URL, an object \{base-url, /,
    ],
    [
      ['--config-file', 'c'],
      {},
      { c: '{"p-chain-api":{"base-url":"http://a","token":"b"}}' },
      /^c: p-chain-api: expected/,
    ],
    [
      ['--config-file', 'c'],
      {},
      { c: '{"manually-tracked-peers":[{"id":"x","ip":"1.2.3.4:5"}]}' },
      /^c: manually-tracked-peers: expected a list of objects/,
    ],
    ...['tracked-subnet-ids', 'allowed-subnet-ids', 'allowed-source-chain-ids'].map(
      (name): [string[], Environment, Record<string, string>, RegExp] => [
        [`--${name}`, 'foo'],
        {},
        {},
        new RegExp(`^${name}: expected (subnet|chain) ids in cb58, got "foo" \\(`),
      ],
    ),
    [
      ['--manually-tracked-peers', '[{"id":"NodeID-x","ip":"1.2.3.4:5"}]'],
      {},
      {},
      /^manually-tracked-peers: expected id as NodeID-… and ip as address:port, got /,
    ],
    [
      ['--tls-cert-path', 'a.crt'],
      {},
      {},
      /^tls-cert-path and tls-key-path: expected both or neither, got only one$/,
    ],
  ])(
    'rejects %j %j with an error that names the option, the given value and the allowed values',
    (argv, environment, files, says) => {
      expect(() => configure(argv, environment, files)).toThrow(
        expect.objectContaining({ code: 'OPTIONS_USAGE', message: expect.stringMatching(says) }),
      )
    },
  )
})

it.each([
  [['--request-timeout', '2m'], {}, '{}'],
  [['--request-timeout-seconds', '120'], {}, '{}'],
  [[], { FIRN_REQUEST_TIMEOUT: '2m' }, '{}'],
  [[], { FIRN_REQUEST_TIMEOUT_SECONDS: '120' }, '{}'],
  [[], {}, '{"request-timeout":"2m"}'],
  [[], {}, '{"request-timeout-seconds":120}'],
])(
  "reads a duration with its unit, or in seconds under the option's former name: %j %j %s",
  (argv, environment, file) => {
    const { requestTimeout } = configure([...argv, '--config-file', 'c'], environment, { c: file })
    expect(requestTimeout).toBe(120_000)
  },
)

it('hides secret values in error messages', () => {
  expect(() => configure(['--p-chain-api', '{"http-headers":{"x-key":"secret"}}'])).toThrow(
    /got a hidden value$/,
  )
})
