import { ApiKey } from '@firn/data-api'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as DataApi from './DataApi.ts'
import type * as Demo from './demo/Demo.ts'
import { withChains } from './evm/ChainFlags.ts'
import { bytes, port, withDatabase, withNetwork, withNetworkId, withProxies, withUpstream } from './Flags.ts'
import { withIndexing } from './IndexingOptions.ts'
import type * as Keys from './Keys.ts'
import type * as Up from './Up.ts'

const units = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number of compute units.')
}

const option = (text: string, before: readonly string[] = []): readonly string[] => {
  if (/^[a-z][a-z-]*(=.*)?$/s.test(text)) return [...before, text]
  throw new InvalidArgumentError('Expected <name>=<value>, without dashes before the name.')
}

const scope = (text: string, before: readonly ApiKey.Scope[] = []): readonly ApiKey.Scope[] => {
  const known = ApiKey.SCOPES.find((one) => one === text)
  if (known !== undefined) return [...before, known]
  throw new InvalidArgumentError(`Expected one of ${ApiKey.SCOPES.join(', ')}.`)
}

/** Adds the flags of the REST service; those of compute units are the hosted service's without a key and on its free tier. */
export const withService = (command: Command, portFlag: string, portOf: number): Command =>
  withProxies(command)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(`--${portFlag} <port>`, 'port of the REST service; 0 for any free one', port, portOf)
    .option('--prefix <path>', 'before every path, such as /data')
    .option('--metrics-port <port>', 'serve the endpoints of metrics there, not with the others', port)
    .option('--metrics-prefix <path>', 'before their paths (default: as --prefix)')
    .option('--network-alias <name>', 'further name of the network in paths, which answers bear')
    .option('--no-rate-limits', 'serve without limits')
    .option('--anonymous-units-per-minute <n>', 'compute units of an address without a key', units, 6_000)
    .option('--anonymous-units-per-day <n>', 'the same for a day', units, 1_200_000)
    .option('--key-units-per-minute <n>', 'compute units of a key without limits of its own', units, 8_000)
    .option('--key-units-per-day <n>', 'the same for a day', units, 2_000_000)
    .addOption(
      new Option('--redis-url <url>', 'count limits there, for several processes').env('FIRN_REDIS_URL'),
    )
    .addOption(
      new Option(
        '--aggregate-status <status>',
        'status of a signed message; auto: 201 for the official client, which takes no other, and 200 for everybody else',
      )
        .choices(['200', '201', 'auto'])
        .default('auto'),
    )
    .option('--timeout <ms>', 'longest time of a request, and of its statements on PostgreSQL', units, 10_000)
    .option(
      '--answer-cache-bytes <n>',
      'bytes of answers kept until the next block; 0 keeps none',
      bytes,
      67_108_864,
    )

const addDataApi = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('data-api')
    .description(
      'serve indexed data over REST: from an archive, from a node that it follows, or from a database',
    )
    .option('--from <folder>', 'archive of containers to read first')
  withService(withIndexing(withNetwork(withDatabase(withUpstream(command, 'node to follow')))), 'port', 8700)
    .addOption(
      new Option('--aggregator-url <url>', 'signature aggregator behind it').env('FIRN_AGGREGATOR_URL'),
    )
    .action(async (options: DataApi.Options) => {
      const { dataApi } = await import('./DataApi.ts')
      await dataApi(options, terminal)
    })
}

const addKeys = (program: Command, terminal: Terminal): void => {
  const keys = program.command('keys').description('keys of the REST service, kept as hashes in its database')
  withNetworkId(withDatabase(keys.command('create').description('make a key and show it, once')))
    .requiredOption('--name <text>', 'whose it is')
    .option(
      '--scope <scope>',
      `what it may be used for: ${ApiKey.SCOPES.join(', ')}; repeat it for more (default: all)`,
      scope,
    )
    .option('--units-per-minute <n>', "compute units a minute (default: the service's)", units)
    .option('--units-per-day <n>', "compute units a day (default: the service's)", units)
    .action(async (options: Keys.CreateOptions) => (await import('./Keys.ts')).create(options, terminal))
  withNetworkId(
    withDatabase(keys.command('list').description('show first characters, id, name and scopes of all keys')),
  ).action(async (options) => (await import('./Keys.ts')).list(options, terminal))
  withNetworkId(
    withDatabase(keys.command('revoke').description('end a key; callers are refused within seconds')),
  )
    .argument('<key>', 'the whole key, its id, or at least 8 first characters that no other key shares')
    .action(async (key: string, options) => (await import('./Keys.ts')).revoke(key, options, terminal))
}

/** Adds the options of all services that `firn up` runs. */
const withAll = (command: Command): Command =>
  withService(withChains(withIndexing(withNetwork(withDatabase(command)))), 'data-port', 8700)
    .option('--http-port <port>', 'port of the node API', port, 8701)
    .option(
      '--node-option <name=value>',
      'any option of firn node, such as http-allowed-hosts=*; repeat it for more',
      option,
    )
    .option(
      '--aggregator-option <name=value>',
      'any option of firn aggregator, such as collect-timeout-seconds=5; repeat it for more',
      option,
    )
    .option('--aggregator-port <port>', 'port of the signature aggregator', port, 8080)

const addUp = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('up')
    .description(
      'run everything in one process: indexer, node API, Data API and signature aggregator; EVM chains with a gateway',
    )
    .option('--from <folder>', 'archive of containers to read first')
  withAll(withUpstream(command, 'node to follow')).action(async (options: Up.Options) => {
    const { up } = await import('./Up.ts')
    await up(options, terminal)
  })
}

/** Options of `firn up` that the demonstration has too; the others keep their defaults. */
const DEMO_OPTIONS = ['--host', '--data-port', '--http-port', '--gateway-port', '--aggregator-port']

const addDemo = (program: Command, terminal: Terminal): void => {
  const all = withAll(new Command())
  const command = program
    .command('demo')
    .description(
      'run everything over networks of its own: a recorded Primary Network with an L1, and a local EVM chain',
    )
    .option('--once', 'end after every product has shown what it has', false)
  for (const option of all.options.filter(({ long }) => DEMO_OPTIONS.includes(long ?? ''))) {
    command.addOption(option)
  }
  command.action(async (options: Pick<Demo.Options, 'once'>) => {
    const { demo } = await import('./demo/Demo.ts')
    const defaults = Object.entries(all.parse([], { from: 'user' }).opts())
    // The environment names the reader's own database and network, which the demonstration must not write to.
    const own = defaults.filter(([name]) => all.getOptionValueSource(name) !== 'env')
    await demo({ ...(Object.fromEntries(own) as Demo.Options), ...options }, terminal)
  })
}

/** Adds `firn data-api`, `firn keys`, `firn up` and `firn demo`. */
export const add = (program: Command, terminal: Terminal): void => {
  addDataApi(program, terminal)
  addKeys(program, terminal)
  addUp(program, terminal)
  addDemo(program, terminal)
}
