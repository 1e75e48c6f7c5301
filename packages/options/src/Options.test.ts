import { describe, expect, test } from 'vitest'
import * as Common from './Common.ts'
import * as Layers from './Layers.ts'
import { group, option, type Values, withEnvironment } from './Option.ts'
import * as Program from './Program.ts'
import * as Type from './Type.ts'

const OPTIONS = {
  ...withEnvironment('AVAGO_', {
    httpPort: option(Type.port, { default: 9650, help: 'Port.' }),
    dataDir: option(Type.path, { default: '$HOME/.firn', help: 'Folder.' }),
  }),
  dbDir: option(Type.path, { default: '$DATA_DIR/db', help: 'Folder.' }),
  databaseUrl: option(Type.text, { help: 'Database.', isSecret: true, environment: ['DATABASE'] }),
  upstream: option(Type.list(Type.url('http', 'https')), { default: [], help: 'Nodes.' }),
  once: option(Type.flag, { default: false, help: 'Once.' }),
  limits: option(Type.flag, { default: true, help: 'Limits.', negatedHelp: 'No limits.' }),
  networkId: option(Type.network, { help: 'Network.', aliases: ['network'] }),
  timeout: option(Type.duration({ bareJson: 'ns' }), {
    default: 10_000,
    help: 'Time.',
    former: { timeoutSeconds: Type.duration({ bare: 's' }) },
  }),
  ...Common.LOG,
  ...Common.PROXIES,
}

type Given = {
  readonly argv?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly isService?: boolean
}

const resolve = ({
  argv = [],
  environment = {},
  files = {},
  isService = true,
}: Given): Values<typeof OPTIONS> => {
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
    return text
  }
  const parsed = Program.parse(
    { options: OPTIONS, isService, otherPrefix: 'AVAGO_' },
    { argv, environment, readFile },
  )
  if (parsed.kind !== 'run') throw new Error(`parsed as ${parsed.kind}`)
  return parsed.values
}

describe('layers', () => {
  test('prefers flags over environment variables, environment variables over the configuration file, and the file over defaults', () => {
    const files = { f: '{"http-port":1,"log-level":"warn","once":true}' }
    const environment = { AVAGO_CONFIG_FILE: 'f', AVAGO_HTTP_PORT: '2', FIRN_LOG_LEVEL: 'ERROR' }
    const expected = { httpPort: 3, logLevel: 'error', once: true, limits: true, upstream: [] }
    expect(resolve({ argv: ['--http-port', '3'], environment, files })).toMatchObject(expected)
  })

  test('prefers FIRN_ variables over variables with other prefixes, and ignores undeclared prefixes', () => {
    const environment = { AVAGO_HTTP_PORT: '1', FIRN_HTTP_PORT: '2', AVAGO_ONCE: 'true', DATABASE: 'x' }
    expect(resolve({ environment })).toMatchObject({ httpPort: 2, once: false, databaseUrl: 'x' })
  })

  test('reads only flags and declared variables if the command is not a service', () => {
    const environment = { FIRN_HTTP_PORT: '2', FIRN_CONFIG_FILE: 'none', AVAGO_DATA_DIR: '/d' }
    expect(resolve({ environment, isService: false })).toMatchObject({ httpPort: 9650, dataDir: '/d' })
    expect(() => resolve({ argv: ['--config-file', 'f'], isService: false })).toThrow(
      'unknown option --config-file',
    )
  })

  test('reads the content of the configuration file from base64', () => {
    const content = Buffer.from('{"once":"true"}').toString('base64')
    expect(resolve({ argv: ['--config-file-content', content] }).once).toBe(true)
  })

  test('omits options that have neither a value nor a default', () => {
    expect(Object.keys(resolve({}))).not.toContain('networkId')
  })
})

describe('$NAME', () => {
  test('replaces $NAME in paths by environment variables, and $DATA_DIR by the data folder', () => {
    const environment = { HOME: '/me' }
    expect(resolve({ environment })).toMatchObject({ dataDir: '/me/.firn', dbDir: '/me/.firn/db' })
    const argv = ['--data-dir', `$${'{HOME}'}/x`, '--db-dir=$DATA_DIR/$NONE/y']
    expect(resolve({ argv, environment })).toMatchObject({ dataDir: '/me/x', dbDir: '/me/x//y' })
  })

  test('replaces $NAME in the path of the configuration file', () => {
    const argv = ['--config-file', '$HOME/f']
    expect(resolve({ argv, environment: { HOME: '/me' }, files: { '/me/f': '{"once":true}' } }).once).toBe(
      true,
    )
  })

  test('does not replace $NAME in values that are not paths, such as a database password', () => {
    const argv = ['--database-url', 'postgres://me:pa$HOME@host/db']
    expect(resolve({ argv, environment: { HOME: '/me' } }).databaseUrl).toBe('postgres://me:pa$HOME@host/db')
  })
})

describe('flags', () => {
  test.each<[readonly string[], object]>([
    [['--once', '--no-limits'], { once: true, limits: false }],
    [['--once=false', '--limits=true'], { once: false, limits: true }],
    [['--network', 'fuji'], { networkId: 5 }],
    [['--network-id=network-76'], { networkId: 76 }],
    [
      ['--upstream', 'http://a,http://b', '--upstream=https://c'],
      { upstream: ['http://a', 'http://b', 'https://c'] },
    ],
    [['--timeout', '1m30.5s'], { timeout: 90_500 }],
    [['--timeout-seconds=7'], { timeout: 7_000 }],
    [['--http-port', '1', '--http-port', '2'], { httpPort: 2 }],
    [['--trusted-proxies', '10.0.0.1, fd00::/8'], { trustedProxies: ['10.0.0.1', 'fd00::/8'] }],
  ])('parses the arguments %j', (argv, expected) => expect(resolve({ argv })).toMatchObject(expected))

  test('prints help or version for --help and --version even if other flags are invalid', () => {
    const kind = (flag: string) =>
      Program.parse(
        { options: OPTIONS },
        { argv: [flag, '--http-port=x'], environment: {}, readFile: () => '' },
      ).kind
    expect(['--help', '-h', '--version', '-v'].map(kind)).toEqual(['help', 'help', 'version', 'version'])
  })
})

describe('usage errors', () => {
  test.each<[string, Given]>([
    ['--http-port: expected a whole number from 0 to 65535, got "65536"', { argv: ['--http-port=65536'] }],
    ['--http-port: expected a whole number from 0 to 65535 after it', { argv: ['--http-port', '--once'] }],
    ['--http-port: expected a whole number from 0 to 65535, got "-1"', { argv: ['--http-port', '-1'] }],
    ['--once: expected true or false, got "yes"', { argv: ['--once=yes'] }],
    ['AVAGO_HTTP_PORT: expected a whole number', { environment: { AVAGO_HTTP_PORT: '' } }],
    [
      '--timeout: expected a duration up to 24h, such as 10s, 500ms or 1m30s, got "30"',
      { argv: ['--timeout=30'] },
    ],
    ['--timeout: expected a duration', { argv: ['--timeout=25h'] }],
    [
      '--upstream: expected a URL such as http://127.0.0.1:9650, or several',
      { argv: ['--upstream=ftp://a'] },
    ],
    ['--network: expected mainnet, fuji, local,', { argv: ['--network=moon'] }],
    ['unknown option --htp-port; did you mean --http-port?', { argv: ['--htp-port=1'] }],
    ['unknown option --frobnicate', { argv: ['--frobnicate'] }],
    ['unknown option -x', { argv: ['-x'] }],
    ['unexpected argument "serve"', { argv: ['serve'] }],
    ['--trust-proxy was removed', { argv: ['--no-trust-proxy'] }],
    ['--trust-proxy was removed', { environment: { FIRN_TRUST_PROXY: '1' } }],
    ['--trust-proxy was removed', { argv: ['--config-file=f'], files: { f: '{"trust-proxy":true}' } }],
    ['config-file: cannot read the file "none" (ENOENT)', { argv: ['--config-file=none'] }],
    ['f: expected a JSON object (', { argv: ['--config-file=f'], files: { f: '{' } }],
    ['f: expected a JSON object, got [1]', { argv: ['--config-file=f'], files: { f: '[1]' } }],
    [
      'f: unknown key "http_port"; did you mean "http-port"?',
      { argv: ['--config-file=f'], files: { f: '{"http_port":1}' } },
    ],
    ['f: unknown key "config-file"', { argv: ['--config-file=f'], files: { f: '{"config-file":"g"}' } }],
    ['f: upstream: expected a URL', { argv: ['--config-file=f'], files: { f: '{"upstream":[1]}' } }],
    ['f: upstream: expected a URL', { argv: ['--config-file=f'], files: { f: '{"upstream":1}' } }],
  ])('reports the error for an invalid value: %s', (message, given) =>
    expect(() => resolve(given)).toThrow(message),
  )
})

test("accepts JSON values of the option's type in the configuration file", () => {
  const json = {
    'http-port': '7',
    once: true,
    timeout: 5e9,
    upstream: ['http://a'],
    network: 76,
    'log-level': null,
  }
  const expected = {
    httpPort: 7,
    once: true,
    timeout: 5_000,
    upstream: ['http://a'],
    networkId: 76,
    logLevel: 'info',
  }
  expect(resolve({ argv: ['--config-file=f'], files: { f: JSON.stringify(json) } })).toMatchObject(expected)
})

test('rejects a missing required option', () => {
  const options = { to: option(Type.path, { isRequired: true, help: 'Where to.' }) }
  const parse = (argv: readonly string[]) =>
    Program.parse({ options }, { argv, environment: {}, readFile: () => '' })
  expect(() => parse([])).toThrow('--to <path> is missing')
  expect(parse(['--to', 'x'])).toMatchObject({ values: { to: 'x' } })
})

test('hides secret values in errors', () => {
  const options = group('Keys', { key: option(Type.integer(0, 9), { help: 'Key.', isSecret: true }) })
  expect(() => Layers.fromFlags(options, ['--key', 'abc'])).toThrow(
    /^--key: expected .*, got a hidden value$/,
  )
})

test('requires a switch that is on by default to say what its negation does', () => {
  // @ts-expect-error `negatedHelp` is missing
  option(Type.flag, { default: true, help: 'Limits.' })
  const { negatedHelp } = option(Type.flag, { default: true, help: 'Limits.', negatedHelp: 'No limits.' })
  expect(negatedHelp).toBe('No limits.')
})
