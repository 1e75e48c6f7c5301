import { PackageVersion } from '@firn/http'
import { type Command, kebab, type Program } from '@firn/options'
import { SUMMARIES } from './commands/tx/Names.ts'

/**
 * Returns an entry in the list of commands. A command's code is loaded only when the command is run, so that
 * `firn decode` does not load a database.
 */
const entry = (summary: string, load: () => Promise<Command.Command>): Command.Entry => ({ summary, load })

const KEYS: Command.Group = {
  summary: 'manage API keys of the Data API',
  commands: {
    create: entry('create a key and show it once', async () => (await import('./commands/Keys.ts')).CREATE),
    list: entry('list keys by their first characters', async () => (await import('./commands/Keys.ts')).LIST),
    scope: entry("replace a key's scopes", async () => (await import('./commands/Keys.ts')).SCOPE),
    revoke: entry('end a key', async () => (await import('./commands/Keys.ts')).REVOKE),
  },
}

const OPERATE: Command.Group = {
  summary: 'sign in to the pages for operators, and print their data',
  commands: {
    link: entry(
      'print a link that signs a browser in',
      async () => (await import('./commands/Operate.ts')).LINK,
    ),
    get: entry('print data for operators', async () => (await import('./commands/Operate.ts')).GET),
  },
}

const webhooks = (
  summary: string,
  name: 'LIST' | 'SHOW' | 'UPDATE' | 'TAIL' | 'DEAD' | 'REPLAY' | 'TEST',
): Command.Entry => entry(summary, async () => (await import('./commands/Webhooks.ts'))[name])

const WEBHOOKS: Command.Group = {
  summary: 'show and change webhooks, and send messages again',
  commands: {
    list: webhooks('list the webhooks of an API key', 'LIST'),
    show: webhooks('print a webhook', 'SHOW'),
    update: webhooks('change what signs the messages of a webhook', 'UPDATE'),
    tail: webhooks('print messages and their results as they are sent', 'TAIL'),
    dead: webhooks('list messages that were given up', 'DEAD'),
    replay: webhooks('send messages again', 'REPLAY'),
    test: webhooks('send a test message at once', 'TEST'),
  },
}

const BYPASS: Command.Group = {
  summary: 'manage tokens that bypass the rate limits of the gateway',
  commands: {
    create: entry(
      'create a token and show it once',
      async () => (await import('./commands/Bypass.ts')).CREATE,
    ),
    list: entry(
      'list tokens by their first characters',
      async () => (await import('./commands/Bypass.ts')).LIST,
    ),
    revoke: entry('end a token', async () => (await import('./commands/Bypass.ts')).REVOKE),
  },
}

const TX: Command.Group = {
  summary: 'build, sign, explain and issue transactions, offline or with a node',
  commands: {
    transfer: entry(
      'transfer AVAX or another asset on the P- or X-chain',
      async () => (await import('./commands/tx/Transfers.ts')).TRANSFER,
    ),
    export: entry(
      'export AVAX to another chain',
      async () => (await import('./commands/tx/Transfers.ts')).EXPORT,
    ),
    import: entry(
      'import AVAX that another chain has exported',
      async () => (await import('./commands/tx/Transfers.ts')).IMPORT,
    ),
    consolidate: entry(
      'merge many UTXOs into few',
      async () => (await import('./commands/tx/Transfers.ts')).CONSOLIDATE,
    ),
    ...Object.fromEntries(
      Object.entries({ ...SUMMARIES.P, ...SUMMARIES.X }).map(([name, summary]) => [
        kebab(name),
        entry(summary, async () => (await import('./commands/tx/Operations.ts')).commandOf(name)),
      ]),
    ),
    sign: entry(
      'add signatures to a transaction',
      async () => (await import('./commands/tx/Completion.ts')).SIGN,
    ),
    decode: entry(
      'say in words what a transaction does',
      async () => (await import('./commands/tx/Completion.ts')).DECODE,
    ),
    issue: entry(
      'issue a signed transaction, and wait until it is accepted',
      async () => (await import('./commands/tx/Completion.ts')).ISSUE,
    ),
  },
}

const MESSAGE: Command.Group = {
  summary: 'print Warp messages of L1s for the P-chain',
  commands: {
    'register-l1-validator': entry(
      'register an L1 validator',
      async () => (await import('./commands/Message.ts')).REGISTER,
    ),
    'set-l1-validator-weight': entry(
      'set the weight of an L1 validator, or remove it',
      async () => (await import('./commands/Message.ts')).WEIGHT,
    ),
  },
}

const KEY: Command.Group = {
  summary: 'create private keys, and print their addresses and other formats',
  commands: {
    new: entry('create a private key', async () => (await import('./commands/KeyCommands.ts')).NEW),
    address: entry(
      'print the addresses of private keys',
      async () => (await import('./commands/KeyCommands.ts')).ADDRESS,
    ),
    convert: entry(
      'convert private keys between their formats',
      async () => (await import('./commands/KeyCommands.ts')).CONVERT,
    ),
  },
}

const USAGE: Command.Group = {
  summary: 'count requests to nodes',
  commands: {
    load: entry(
      'count the requests of an access log',
      async () => (await import('./commands/Usage.ts')).LOAD,
    ),
  },
}

const SYNC: Command.Group = {
  summary: 'show the progress of a sync',
  commands: {
    status: entry(
      'print phase, heights, peers and time left',
      async () => (await import('./commands/SyncStatus.ts')).STATUS,
    ),
  },
}

const DB: Command.Group = {
  summary: 'spread a database over the servers of a Citus cluster',
  commands: {
    distribute: entry(
      'put EVM chains onto the workers of a Citus cluster',
      async () => (await import('./commands/evm/Distribute.ts')).COMMAND,
    ),
  },
}

const SNAPSHOT: Command.Group = {
  summary: "write a network's database into a file, and read it elsewhere",
  commands: {
    export: entry(
      'write the database of a network into a file',
      async () => (await import('./commands/Snapshot.ts')).EXPORT,
    ),
    import: entry(
      'read a file or a published snapshot into an empty database, and check it',
      async () => (await import('./commands/Snapshot.ts')).IMPORT,
    ),
    sign: entry(
      'write a signed list of snapshots to publish',
      async () => (await import('./commands/Snapshot.ts')).SIGN,
    ),
    list: entry(
      'print a signed list of snapshots',
      async () => (await import('./commands/Snapshot.ts')).LIST,
    ),
  },
}

/** The `firn` command. */
export const PROGRAM: Program.Program & { readonly commands: Command.Commands } = {
  name: 'firn',
  version: PackageVersion.read(import.meta.url),
  description:
    'Firn, off-chain software for the Avalanche network. All programs are subcommands of this command.',
  commands: {
    start: entry(
      'run a devnet with an aggregator, and sign a sample message',
      async () => (await import('./commands/Start.ts')).COMMAND,
    ),
    demo: entry(
      'run all products on demo networks',
      async () => (await import('./commands/demo/Demo.ts')).COMMAND,
    ),
    up: entry(
      'run indexer, node API, Data API and aggregator in one process',
      async () => (await import('./commands/Up.ts')).COMMAND,
    ),
    aggregator: entry(
      'run the signature aggregator',
      async () => (await import('./commands/Aggregator.ts')).COMMAND,
    ),
    node: entry('run the node API', async () => (await import('./commands/Node.ts')).COMMAND),
    'data-api': entry('run the Data API', async () => (await import('./commands/DataApi.ts')).COMMAND),
    evm: entry(
      'index EVM chains and serve them over REST',
      async () => (await import('./commands/evm/Evm.ts')).COMMAND,
    ),
    gateway: entry('run the RPC gateway', async () => (await import('@firn/gateway')).COMMAND),
    index: entry(
      'index a node or an archive into a database',
      async () => (await import('@firn/indexer')).Index.COMMAND,
    ),
    archive: entry(
      'write the containers of a node or a database into an archive folder',
      async () => (await import('./commands/Archive.ts')).COMMAND,
    ),
    doctor: entry('check a database', async () => (await import('./commands/Doctor.ts')).COMMAND),
    health: entry('ask a service for its health', async () => (await import('./commands/Health.ts')).COMMAND),
    aggregate: entry(
      'collect signatures for a message',
      async () => (await import('./commands/Aggregate.ts')).COMMAND,
    ),
    verify: entry(
      'verify a signed message',
      async () => (await import('./commands/VerifyCommand.ts')).COMMAND,
    ),
    decode: entry(
      'decode a text or a file',
      async () => (await import('./commands/DecodeCommand.ts')).COMMAND,
    ),
    tx: TX,
    message: MESSAGE,
    key: KEY,
    keys: KEYS,
    operate: OPERATE,
    webhooks: WEBHOOKS,
    bypass: BYPASS,
    usage: USAGE,
    db: DB,
    snapshot: SNAPSHOT,
    sync: SYNC,
    devnet: entry(
      'run a local network of validators that sign messages or serve recorded blocks',
      async () => (await import('./commands/Devnet.ts')).COMMAND,
    ),
    conformance: entry(
      'test the code with golden vectors or recorded exchanges',
      async () => (await import('@firn/conformance')).COMMAND,
    ),
  },
}
