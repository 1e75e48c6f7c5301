import { LOG_FORMATS } from '@firn/gateway'
import { type Command, Option } from 'commander'
import type { Terminal } from '../Terminal.ts'
import type * as Bypass from './Bypass.ts'
import { count, port, withDatabase, withProxies } from './Flags.ts'
import type * as Gateway from './Gateway.ts'
import { chain, cost, field } from './GatewayFlags.ts'
import { withGateway } from './GatewayOptions.ts'
import type * as Usage from './Usage.ts'

const addGateway = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('gateway')
    .description('stand in front of the nodes of EVM chains: limits, failover, and a count of every request')
    .requiredOption(
      '--chain <id=url>',
      "a chain's id, further names behind commas, and its nodes, http or ws; repeat it for more chains",
      chain,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port; 0 for any free one', port, 8702)
    .option('--no-rate-limits', 'let everybody ask as fast as they like')
  withDatabase(withProxies(withGateway(command))).action(async (options: Gateway.Options) =>
    (await import('./Gateway.ts')).gateway(options, terminal),
  )
}

const addUsage = (program: Command, terminal: Terminal): void => {
  const usage = program.command('usage').description('what was requested of nodes')
  const load = usage
    .command('load')
    .description(
      'count the requests of an access log, one JSON object a line; what was counted before is not again',
    )
    .argument('<file>', 'the log')
    .addOption(
      new Option('--format <name>', 'how its objects look').choices(Object.keys(LOG_FORMATS)).default('firn'),
    )
    .option(
      '--field <name=member>',
      'where a field is, if not where the format has it; repeat it for more',
      field,
    )
    .option('--cost <method=credits>', 'what a method costs; repeat it for more', cost)
  withDatabase(load).action(async (file: string, options: Usage.LoadOptions) =>
    (await import('./Usage.ts')).load(file, options, terminal),
  )
}

const addBypass = (program: Command, terminal: Terminal): void => {
  const bypass = program
    .command('bypass')
    .description('tokens that lift the limits of the gateway, kept as hashes in its database')
  withDatabase(bypass.command('create').description('make a token and show it, once'))
    .requiredOption('--name <text>', 'whose it is, as usage shows it')
    .option('--credits-per-second <n>', 'credits of all who hold it together (default: no limit)', count)
    .action(async (options: Bypass.CreateOptions) => (await import('./Bypass.ts')).create(options, terminal))
  withDatabase(bypass.command('list').description('show tokens by their first characters')).action(
    async (options) => (await import('./Bypass.ts')).list(options, terminal),
  )
  withDatabase(bypass.command('revoke').description('end a token; gateways refuse it within seconds'))
    .argument('<name>', 'its name')
    .action(async (name: string, options) => (await import('./Bypass.ts')).revoke(name, options, terminal))
}

/** Adds `firn gateway`, `firn usage` and `firn bypass`. */
export const add = (program: Command, terminal: Terminal): void => {
  addGateway(program, terminal)
  addUsage(program, terminal)
  addBypass(program, terminal)
}
