import { randomBytes } from 'node:crypto'
import { IpAddress } from '@firn/http'
import { LocalToken, OperatorLink, Operators } from '@firn/operate'
import { Command, Common, option, Type, type Values } from '@firn/options'
import { CliError } from '../CliError.ts'

const OPTIONS = {
  url: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8700',
    help: 'URL of the service on this machine.',
  }),
  dataDir: { ...Common.DATA_DIR.dataDir, help: 'Data folder of the service, which contains its token.' },
}

type Options = Values<typeof OPTIONS>

const CLOCK: OperatorLink.LinkOptions = { now: Date.now, random: randomBytes }

export const LINK = Command.create({
  description:
    'Prints a link that signs one browser in to the pages for operators of a service on this machine, within ten minutes. Run it as the user of the service.',
  example: '--url http://127.0.0.1:8080',
  options: OPTIONS,
  run: async (options, { terminal }) => {
    assertLocal(options)
    terminal.print(OperatorLink.create(LocalToken.read(options.dataDir), options.url, CLOCK))
  },
})

export const GET = Command.create({
  description:
    'Prints data for operators of a service on this machine as JSON: indexing, doctor, peers, upstreams, limits, usage, keys or log. Run it as the user of the service.',
  example: "'log?level=warn'",
  operands: [{ name: 'path', help: 'Path below /operate/, with the query.' }],
  options: OPTIONS,
  run: async (options, { operands: [path = ''], terminal }) => {
    assertLocal(options)
    const { url } = options
    const code = OperatorLink.createCode(LocalToken.read(options.dataDir), url, CLOCK)
    // Only a code leaves this process: another program may listen at this URL.
    const signedIn = await ask(new URL('/operate/sign-in', url), {
      method: 'POST',
      headers: { [Operators.CODE_HEADER]: code },
      signal: terminal.signal,
    })
    const { token } = JSON.parse(signedIn) as { readonly token: string }
    const headers = { [Operators.TOKEN_HEADER]: token }
    terminal.print(await ask(new URL(`/operate/${path}`, url), { headers, signal: terminal.signal }))
  },
})

/** Fails unless the URL is on this machine, where alone links count. */
const assertLocal = ({ url }: Options): void => {
  const { hostname } = new URL(url)
  if (hostname === 'localhost' || IpAddress.isLoopback(IpAddress.parse(hostname))) return
  const message = `--url: expected a service on this machine, such as http://127.0.0.1:8700, got ${url}. Run the command there, or send a key with the scope admin.`
  throw new CliError('CLI_INPUT', message)
}

const ask = async (url: URL, request: RequestInit): Promise<string> => {
  const response = await fetch(url, { ...request, redirect: 'error' }).catch((cause: Error) => {
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message
    throw new CliError('CLI_INPUT', `${url.origin} does not respond: ${reason}`, { cause })
  })
  const text = await response.text()
  if (response.ok) return text
  throw new CliError(
    'CLI_INPUT',
    `${url.href} responded with status ${response.status}: ${text.slice(0, 500)}`,
  )
}
