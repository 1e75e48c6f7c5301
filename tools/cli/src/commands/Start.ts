import { createServer } from 'node:net'
import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Hex } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { LocalAccess } from '@firn/operate'
import { Command, option, type Terminal, Type, type Values } from '@firn/options'
import { Quorum, SignedMessage } from '@firn/warp'
import * as AggregatorClient from '../AggregatorClient.ts'
import { CliError } from '../CliError.ts'
import * as Progress from '../Progress.ts'
import * as Verify from './Verify.ts'

const OPTIONS = {
  once: option(Type.flag, { default: false, help: 'Stop after the sample message has been signed.' }),
  validators: option(Type.integer(1, 10_000), { default: 5, help: 'Number of validators of the devnet.' }),
  buildBlocks: option(Type.flag, {
    default: false,
    help: 'Give the devnet real chains, which build blocks from transactions. The first request to a chain takes seconds.',
  }),
  apiPort: option(Type.port, {
    default: 8080,
    help: 'Port of the aggregator. If it is in use, a free one is picked.',
  }),
  rpcPort: option(Type.port, {
    default: 9650,
    help: 'Port of the devnet. If it is in use, a free one is picked.',
  }),
}

/** Options of `firn start`. */
export type Options = Values<typeof OPTIONS>

export const COMMAND = Command.create({
  description:
    'Starts a devnet and a signature aggregator, collects signatures for one message, verifies the result, and keeps both running.',
  example: '--once',
  options: OPTIONS,
  isService: true,
  run: (options, { terminal }) => start(options, terminal),
})

const HOST = '127.0.0.1'
const GREETING = 'hello from Firn'

const isPortTaken = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const probe = createServer()
    probe.once('error', () => settle(true))
    probe.listen(port, HOST, () => probe.close(() => settle(false)))
  })

/** Calls `create` with the port, or with 0 (any free port) if the port is in use. */
const withPort = async <T>(port: number, create: (port: number) => Promise<T>): Promise<T> => {
  try {
    return await create(port)
  } catch (error) {
    if (port === 0 || !(await isPortTaken(port))) throw error
    return create(0)
  }
}

const startAggregator = (
  devnet: Devnet,
  port: number,
  local: LocalAccess.LocalAccess,
  signal: AbortSignal,
): Promise<AggregatorService> =>
  withPort(port, (apiPort) => {
    const own = { network: 'local', host: HOST, apiPort, logLevel: 'error' } as const
    return createAggregatorService(createConfiguration({ ...own, pChainApi: devnet.rpcUrl }), {
      signal,
      local,
    })
  })

type Running = {
  readonly devnet: Devnet
  readonly service: AggregatorService
  readonly local: LocalAccess.LocalAccess
}

/**
 * Aggregates one message over HTTP, verifies the result with the P-chain's validator set, and returns the
 * signed message.
 */
const demonstrate = async ({ devnet, service }: Running, terminal: Terminal): Promise<string> => {
  const payload = new TextEncoder().encode(GREETING)
  const message = Hex.encodeBare(devnet.acceptMessage({ chain: devnet.chains.c, payload }))
  const request = { url: service.url, message, signal: terminal.signal }
  const answer = await Progress.during(terminal, 'requesting signatures from the validators', () =>
    AggregatorClient.aggregate(request),
  )
  terminal.print('')
  terminal.print(`message          ${JSON.stringify(GREETING)} from the C-chain, ${message.length / 2} bytes`)
  if (answer.report) {
    terminal.print(`aggregated       in ${answer.report.elapsedMs} ms`)
    for (const line of AggregatorClient.formatReport(answer.report)) terminal.print(line)
  }
  terminal.print(`signed message   0x${answer.signedMessage}`)
  const signed = SignedMessage.decode(Hex.decodeAny(answer.signedMessage))
  const against = await Verify.fromUpstream(devnet.rpcUrl, signed, { signal: terminal.signal })
  // With --once, the devnet is stopped before the user could use its URL.
  const source = against.source.replace(devnet.rpcUrl, "the devnet's P-chain")
  const verdict = Verify.verify(signed, { ...against, source }, Quorum.DEFAULT)
  for (const line of Verify.format(verdict)) terminal.print(line)
  if (!verdict.result.ok)
    throw new CliError('CLI_NOT_VALID', `the signed message is not valid: ${verdict.result.reason}`)
  return message
}

const printUrls = ({ devnet, service }: Running, message: string, terminal: Terminal): void => {
  terminal.print('')
  terminal.print(`aggregator       ${service.url}  (/docs, /health, /metrics)`)
  terminal.print(`devnet           ${devnet.rpcUrl}  (/ext/info, /ext/bc/P, /devnet)`)
  terminal.print('try              curl \\')
  terminal.print(`  -H 'content-type: application/json' -d '{"message":"${message}"}' \\`)
  terminal.print(`  '${AggregatorClient.formatUrl({ url: service.url, message })}?report=true'`)
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((settle) => {
    // The timer keeps the process alive, because an abort listener does not.
    const stay = setInterval(() => undefined, 60_000)
    const leave = () => {
      clearInterval(stay)
      settle()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

const serve = async (running: Running, options: Options, terminal: Terminal): Promise<void> => {
  const message = await demonstrate(running, terminal)
  if (options.once) return
  printUrls(running, message, terminal)
  LocalAccess.announce(running.local, running.service.url, terminal)
  terminal.print('')
  terminal.print('Press Ctrl-C to stop')
  await untilAborted(terminal.signal)
  terminal.note('stopping')
}

/**
 * Starts a devnet and an aggregator, and aggregates and verifies one message. Keeps them running unless
 * `once` is set.
 */
export const start = async (options: Options, terminal: Terminal): Promise<void> => {
  const { validators, buildBlocks } = options
  const devnet = await Progress.during(terminal, `starting a devnet of ${validators} validators`, () =>
    withPort(options.rpcPort, (rpcPort) => createDevnet({ validators, buildBlocks, host: HOST, rpcPort })),
  )
  const local = LocalAccess.createInMemory()
  try {
    const service = await Progress.during(terminal, 'starting the aggregator for the devnet', () =>
      startAggregator(devnet, options.apiPort, local, terminal.signal),
    )
    try {
      await serve({ devnet, service, local }, options, terminal)
    } finally {
      await service.close()
    }
  } finally {
    await devnet.close()
  }
}
