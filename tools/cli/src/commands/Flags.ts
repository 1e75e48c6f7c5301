import { homedir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@firn/codec'
import { TrustedProxies } from '@firn/http'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CliError } from '../CliError.ts'

/** A port. */
export const port = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Expected a port.')
}

/** A number of at most six digits. */
export const count = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number from 1 to 999999.')
}

/** An EVM chain id. */
export const chainId = (text: string): bigint => {
  if (/^\d{1,20}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('Expected an EVM chain id.')
}

/** A number of bytes. */
export const bytes = (text: string): number => {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number of bytes.')
}

const network = (text: string): number => {
  try {
    return Network.parseName(text)
  } catch {
    throw new InvalidArgumentError('Expected mainnet, fuji, local, network-<id> or an id.')
  }
}

/** A URL, after those that were given before. */
export const url = (text: string, before: readonly string[] = []): readonly string[] => {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return [...before, text]
  throw new InvalidArgumentError('Expected a URL such as http://127.0.0.1:9650.')
}

/** Texts separated by commas, after those that were given before. */
const list = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').map((one) => one.trim()),
]

const proxies = (text: string): number => {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number of proxies, such as 1.')
}

const trustedProxies = (text: string, before?: readonly string[]): readonly string[] => {
  const networks = list(text, before)
  try {
    TrustedProxies.create({ trustedProxies: networks })
    return networks
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

const removed = (): never => {
  throw new CliError('CLI_INPUT', TrustedProxies.REMOVED)
}

/** Adds the flags that say which proxies may report a caller's address. */
export const withProxies = (command: Command): Command =>
  command
    .addOption(
      new Option('--proxies <count>', "proxies in front, whose x-forwarded-for gives the caller's address")
        .env('FIRN_PROXIES')
        .argParser(proxies)
        .conflicts('trustedProxies'),
    )
    .addOption(
      new Option('--trusted-proxies <cidr,…>', 'their addresses or networks instead, such as 10.0.0.0/8')
        .env('FIRN_TRUSTED_PROXIES')
        .argParser(trustedProxies),
    )
    .addOption(
      new Option('--trust-proxy')
        .env(TrustedProxies.REMOVED_VARIABLE)
        .preset('')
        .argParser(removed)
        .hideHelp(),
    )

/** Adds `--upstream`. */
export const withUpstream = (command: Command, description: string): Command =>
  command.option('--upstream <url>', `${description}; repeat it for more, in order of preference`, url)

/** Adds the flags that name a database. */
export const withDatabase = (command: Command): Command =>
  command
    .addOption(new Option('--database-url <url>', 'PostgreSQL, as postgres://…').env('FIRN_DATABASE_URL'))
    .addOption(
      new Option('--data-dir <folder>', 'where the embedded database is, without --database-url')
        .env('AVAGO_DATA_DIR')
        .default(join(homedir(), '.firn'), '~/.firn'),
    )
    .option('--schema <name>', "schema of the network's tables (default: primary_<network id>)")

/** Adds the flag that names a network. */
export const withNetworkId = (command: Command): Command =>
  command.addOption(
    new Option('--network, --network-id <network>', 'mainnet, fuji, local, network-<id> or an id')
      .env('AVAGO_NETWORK_ID')
      .argParser(network),
  )

/** Adds the flags that name a network, and its genesis and rules. */
export const withNetwork = (command: Command): Command =>
  withNetworkId(command)
    .addOption(
      new Option('--genesis-file <file>', 'genesis of a custom network, file or URL').env(
        'AVAGO_GENESIS_FILE',
      ),
    )
    .addOption(
      new Option('--genesis-file-content <base64>', 'the same in base64').env('AVAGO_GENESIS_FILE_CONTENT'),
    )
    .addOption(new Option('--upgrade-file <file>', 'upgrade times, file or URL').env('AVAGO_UPGRADE_FILE'))
    .addOption(
      new Option('--upgrade-file-content <base64>', 'the same in base64').env('AVAGO_UPGRADE_FILE_CONTENT'),
    )
