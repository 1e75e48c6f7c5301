import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { Id, Json, Network } from '@firn/codec'
import * as Options from '@firn/options'
import { Quorum, SignedMessage } from '@firn/warp'
import { Command, InvalidArgumentError, Option } from 'commander'
import * as AggregatorClient from './AggregatorClient.ts'
import { CliError } from './CliError.ts'
import * as DataApiProgram from './commands/DataApiProgram.ts'
import * as EvmProgram from './commands/evm/EvmProgram.ts'
import * as GatewayProgram from './commands/GatewayProgram.ts'
import * as IndexProgram from './commands/IndexProgram.ts'
import * as TxProgram from './commands/TxProgram.ts'
import * as Input from './Input.ts'
import * as Progress from './Progress.ts'
import type { Terminal } from './Terminal.ts'
import * as Tree from './Tree.ts'

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }

const height = (text: string): bigint => {
  if (/^\d{1,19}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('Expected a P-chain height.')
}

type DecodeOptions = { readonly json?: boolean; readonly network?: string; readonly chain?: 'P' | 'X' | 'C' }

const addDecode = (program: Command, terminal: Terminal): void => {
  program
    .command('decode')
    .description(
      'tell what a text or file is: cb58, hex, address, NodeID; a transaction, block, container, vertex or UTXO of the P-, X- or C-chain; a genesis; a Warp message, signed message or proof bundle',
    )
    .argument('<anything>', 'the text, the name of a file that holds it, or - for standard input')
    .option('--network <name>', 'whose addresses to write (default: what the structure names, else local)')
    .addOption(
      new Option(
        '--chain <alias>',
        "of structures that read alike, such as UTXOs, show this chain's",
      ).choices(['P', 'X', 'C']),
    )
    .option('--json', "print JSON instead of a tree: the node's own where it has one")
    .action(async (anything: string, { json: asJson, network, chain }: DecodeOptions) => {
      const Decode = await import('./commands/Decode.ts')
      const { tree, json = tree } = Decode.decode(Input.text(anything), {
        ...(network !== undefined && { networkId: Network.parseName(network) }),
        ...(chain !== undefined && { chain }),
      })
      if (asJson) terminal.print(Json.stringify(json))
      else for (const line of Tree.format('', tree)) terminal.print(line)
    })
}

type VerifyOptions = {
  readonly bundle?: string
  readonly upstream?: string
  readonly quorum: number
  readonly height?: bigint
  readonly subnet?: string
}

const against = async (
  Verify: typeof import('./commands/Verify.ts'),
  options: VerifyOptions,
  message: SignedMessage.SignedMessage,
  signal: AbortSignal,
) => {
  if ((options.bundle === undefined) === (options.upstream === undefined)) {
    throw new CliError(
      'CLI_INPUT',
      'expected one of --bundle <file> and --upstream <url>, which give the validator set',
    )
  }
  if (options.bundle !== undefined) return Verify.fromBundle(options.bundle)
  return Verify.fromUpstream(options.upstream ?? '', message, {
    signal,
    ...(options.height === undefined ? {} : { height: options.height }),
    ...(options.subnet === undefined ? {} : { subnetId: Id.parse(options.subnet) }),
  })
}

const addVerify = (program: Command, terminal: Terminal): void => {
  program
    .command('verify')
    .description('verify a signed message: which validators signed, and whether their weight is enough')
    .argument(
      '<signedMessage>',
      "hex, an aggregator's answer, the name of a file that holds either, or - for standard input",
    )
    .option('--bundle <file>', 'proof bundle with the validator set; nothing is fetched')
    .option('--upstream <url>', 'node API to take the validator set from, such as http://127.0.0.1:9650')
    .option('--quorum <percent>', 'weight that must have signed', wholeNumber(0, 100), 67)
    .option(
      '--height <n>',
      'P-chain height of the set, with --upstream (default: the proposed height)',
      height,
    )
    .option('--subnet <id>', "signing subnet, with --upstream (default: that of the message's source chain)")
    .action(async (given: string, options: VerifyOptions) => {
      const Verify = await import('./commands/Verify.ts')
      const message = SignedMessage.decode(Input.signedMessage(given))
      const set = await against(Verify, options, message, terminal.signal)
      const verdict = Verify.verify(message, set, Quorum.percent(options.quorum))
      for (const line of Verify.format(verdict)) terminal.print(line)
      if (!verdict.result.ok)
        throw new CliError('CLI_NOT_VALID', `the message is not valid: ${verdict.result.reason}`)
    })
}

type AggregateOptions = {
  readonly aggregator: string
  readonly network?: string
  readonly justification?: string
  readonly quorum?: number
  readonly buffer?: number
  readonly height?: bigint
  readonly subnet?: string
  readonly apiKey?: string
  readonly json?: boolean
}

const printReport = (error: unknown, terminal: Terminal): void => {
  if (!(error instanceof CliError) || error.details['report'] === undefined) return
  const report = error.details['report'] as AggregatorClient.Report
  for (const line of AggregatorClient.formatReport(report)) terminal.note(line)
}

const runAggregate = async (given: string, options: AggregateOptions, terminal: Terminal): Promise<void> => {
  const { aggregator: url, ...rest } = options
  const request = { ...rest, url, message: Input.text(given), signal: terminal.signal }
  try {
    const answer = await Progress.during(terminal, `asking ${url}`, () => AggregatorClient.aggregate(request))
    if (options.json) return terminal.print(answer.text)
    if (answer.report) for (const line of AggregatorClient.formatReport(answer.report)) terminal.note(line)
    terminal.print(answer.signedMessage)
  } catch (error) {
    printReport(error, terminal)
    throw error
  }
}

const addAggregate = (program: Command, terminal: Terminal): void => {
  program
    .command('aggregate')
    .description('have an aggregator collect signatures for a message; prints the signed message')
    .argument(
      '<message>',
      'unsigned Warp message or event data in hex, the name of a file with it, or - for standard input',
    )
    .option('--aggregator <url>', 'the aggregator', 'http://127.0.0.1:8080')
    .option('--network <name>', 'mainnet, fuji or local (default: what the message names)')
    .option('--justification <hex>', 'evidence that P-chain validators ask for')
    .option('--quorum <percent>', 'weight that must sign (default: 67)', wholeNumber(1, 100))
    .option('--buffer <percent>', 'weight wished beyond the quorum (default: 0)', wholeNumber(0, 100))
    .option('--height <n>', 'P-chain height of the validator set (default: the proposed height)', height)
    .option('--subnet <id>', "signing subnet (default: that of the message's source chain)")
    .option('--api-key <key>', 'key to send along')
    .option(
      '--json',
      'print the whole answer with report and proof bundle, as `firn verify --bundle` reads it',
    )
    .action((given: string, options: AggregateOptions) => runAggregate(given, options, terminal))
}

const addStart = (program: Command, terminal: Terminal): void => {
  program
    .command('start')
    .description('bring up a devnet and an aggregator, send one message through, and stay up')
    .option('--once', 'stop after the message', false)
    .option('--validators <n>', 'validators of the devnet', wholeNumber(1, 10_000), 5)
    .option('--api-port <port>', 'port of the aggregator if it is free', wholeNumber(0, 65_535), 8080)
    .option('--rpc-port <port>', 'port of the devnet if it is free', wholeNumber(0, 65_535), 9650)
    .action(async (options: import('./commands/Start.ts').Options) => {
      const { start } = await import('./commands/Start.ts')
      await start(options, terminal)
    })
}

/** A command that hands its arguments, `--help` included, to a program of its own. */
const addDelegate = (
  program: Command,
  name: string,
  description: string,
  main: (argv: readonly string[]) => Promise<number | undefined>,
  onExit: (code: number) => void,
): void => {
  program
    .command(name)
    .description(description)
    .argument('[arguments...]', `see firn ${name} --help`)
    .allowUnknownOption()
    .helpOption(false)
    .action(async (argv: readonly string[]) => onExit((await main(argv)) ?? 0))
}

const addDelegates = (program: Command, terminal: Terminal, onExit: (code: number) => void): void => {
  const add = (
    name: string,
    description: string,
    main: (argv: readonly string[]) => Promise<number | undefined>,
  ) => addDelegate(program, name, description, main, onExit)
  add('devnet', 'run a network in a box: real TLS peers that sign, and a P-chain', async (argv) => {
    const { main } = await import('@firn/devnet')
    const stream = (print: (line: string) => void) => (text: string) => print(text.trimEnd())
    return main(argv, {
      signal: terminal.signal,
      stdout: stream(terminal.print),
      stderr: stream(terminal.note),
    })
  })
  add('aggregator', 'run the signature aggregator', async (argv) => {
    const { COMMAND } = await import('@firn/aggregator')
    return Options.Program.run(
      { name: 'firn aggregator', version: '0.1.0', load: () => COMMAND },
      {
        argv,
        environment: { HOME: homedir(), ...process.env },
        readFile: (path) => readFileSync(path, 'utf8'),
        terminal,
      },
    )
  })
  add(
    'node',
    'answer as a node would: from an archive, from a node that it follows, or from a database',
    async (argv) => (await import('./commands/Node.ts')).node(argv, terminal),
  )
  add('conformance', 'run golden vectors or recorded exchanges against the code', async (argv) =>
    (await import('@firn/conformance')).main(argv, terminal.print),
  )
}

/** The `firn` command: every subcommand, speaking to the terminal given; `onExit` gets a status that is no error. */
export const create = (terminal: Terminal, onExit: (code: number) => void): Command => {
  const program = new Command('firn')
    .description('Firn, off-chain software of the Avalanche network: one command for all of it.')
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
  addStart(program, terminal)
  addDelegates(program, terminal, onExit)
  addAggregate(program, terminal)
  addVerify(program, terminal)
  addDecode(program, terminal)
  TxProgram.add(program, terminal)
  IndexProgram.add(program, terminal)
  DataApiProgram.add(program, terminal)
  EvmProgram.add(program, terminal)
  GatewayProgram.add(program, terminal)
  return program
}
