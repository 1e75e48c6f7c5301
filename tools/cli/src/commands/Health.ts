import { Command, option, Type } from '@firn/options'
import { CliError } from '../CliError.ts'

const OPTIONS = {
  url: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8700/health',
    help: 'Health endpoint: /health of a service, or /ext/health of the node API.',
    environment: ['FIRN_HEALTH_URL'],
  }),
  timeout: option(Type.duration(), { default: 4_000, help: 'Maximum time until the service responds.' }),
}

export const COMMAND = Command.create({
  description:
    'Asks a service for its health. The exit status is 1 if the service is down or does not respond.',
  example: '--url http://127.0.0.1:8080/health',
  options: OPTIONS,
  run: async ({ url, timeout }, { terminal }) => {
    const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(timeout)])
    const { ok, text } = await ask(url, signal).catch((cause: Error) => {
      terminal.signal.throwIfAborted()
      const reason = cause.cause instanceof Error ? cause.cause.message : cause.message
      throw new CliError('CLI_FINDINGS', `${url} does not respond: ${reason}`, { cause })
    })
    if (!ok) throw new CliError('CLI_FINDINGS', `${url} reports: ${text}`)
    terminal.print(text)
  },
})

const ask = async (url: string, signal: AbortSignal) => {
  const response = await fetch(url, { signal, redirect: 'error' })
  return { ok: response.ok, text: (await response.text()).trim() }
}
