import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadmesError } from './ReadmesError.ts'

/**
 * Time limits in milliseconds: `runMs` for a command to end or to become ready, `stopMs` for it to end after
 * an interrupt.
 */
export interface Patience {
  readonly runMs: number
  readonly stopMs: number
}

/** A command that runs until it is interrupted. */
export interface Running {
  readonly text: string
  /**
   * Interrupts the command as Ctrl-C would. @throws ReadmesError `READMES_COMMAND` if it ends with an error
   * or does not end
   */
  stop(): Promise<void>
  /** Returns the last lines of the command's output. */
  output(): string
  isUp(): boolean
}

/**
 * A shell for the commands of one block. Exports and changes of the working directory apply to the following
 * commands.
 */
export interface Shell {
  /** Runs a command until it ends, and returns its output. @throws ReadmesError `READMES_COMMAND` */
  run(text: string): Promise<string>
  /** Starts a command and waits until its output matches `ready`. @throws ReadmesError `READMES_COMMAND` */
  start(text: string, ready: RegExp): Promise<Running>
  /** Returns the value of an exported variable. */
  variable(name: string): string | undefined
}

/** Initial state of a shell. */
export interface Options {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Folder in which the shell's state is stored between commands. */
  readonly folder: string
  readonly patience: Patience
  /** Signal that kills running commands. */
  readonly signal: AbortSignal
}

const SHOWN_LINES = 25
/** Exit statuses of a command that ended properly after an interrupt. */
const INTERRUPTED = [0, 130]
/** Maximum number of output characters that are kept. */
const KEPT = 1 << 20

function failed(text: string, what: string, output: string): ReadmesError {
  const message = `\`${text}\` ${what}\n${output}`.trimEnd()
  return new ReadmesError('READMES_COMMAND', message, { details: { command: text } })
}

/** Returns whether any process in the child's process group is still running. */
function isGroupUp(child: ChildProcess): boolean {
  try {
    process.kill(-(child.pid ?? 0), 0)
    return true
  } catch {
    return false
  }
}

function sendSignal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), name)
  } catch {
    // The process has already ended.
  }
}

async function until(isTrue: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (isTrue()) return true
    await sleep(50)
  }
  return isTrue()
}

/** Creates a shell in `cwd`. */
export function create({ cwd, env, folder, patience, signal }: Options): Shell {
  const state = join(folder, 'shell-state')
  writeFileSync(state, '')

  /**
   * Starts a command in a new bash process. The exports of a service are not kept. The shell of a service
   * runs until the service has ended after an interrupt.
   */
  const launch = (text: string, isService: boolean) => {
    signal.throwIfAborted()
    const quoted = `'${state.replaceAll("'", "'\\''")}'`
    const save = `{ export -p; printf 'cd %q\\n' "$PWD"; } >${quoted}`
    const script = isService
      ? `. ${quoted}\ntrap : INT\n${text}\nexit $?`
      : `. ${quoted}\n${text}\nstatus=$?\n${save}\nexit $status`
    // The command gets its own process group, as at a terminal, so that an interrupt reaches the program and
    // not only the shell.
    const child = spawn('bash', ['-c', script], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // A service may end when its standard input does, which stays open at a terminal.
    if (!isService) child.stdin.end()
    const kill = () => sendSignal(child, 'SIGKILL')
    signal.addEventListener('abort', kill)
    child.once('exit', () => signal.removeEventListener('abort', kill))
    let keptOutput = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        keptOutput = (keptOutput + part).slice(-KEPT)
      })
    }
    const output = () => keptOutput.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
    return {
      child,
      keptOutput: () => keptOutput,
      output,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    }
  }

  const end = async (child: ChildProcess) => {
    sendSignal(child, 'SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  const stop = async (text: string, { child, output }: ReturnType<typeof launch>) => {
    sendSignal(child, 'SIGINT')
    if (!(await until(() => !isGroupUp(child), patience.stopMs))) {
      await end(child)
      throw failed(text, 'did not end after an interrupt', output())
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    if (!INTERRUPTED.includes(child.exitCode ?? -1))
      throw failed(text, `ended with ${child.exitCode ?? child.signalCode} after an interrupt`, output())
  }

  return {
    async run(text) {
      const launched = launch(text, false)
      if (!(await until(launched.hasEnded, patience.runMs))) {
        await end(launched.child)
        const hint = 'did not end; if it is a service, add it to SERVICES in exceptions.ts'
        throw failed(text, hint, launched.output())
      }
      const { exitCode, signalCode } = launched.child
      if (exitCode !== 0) throw failed(text, `ended with ${exitCode ?? signalCode}`, launched.output())
      return launched.keptOutput()
    },
    async start(text, ready) {
      const launched = launch(text, true)
      await until(() => ready.test(launched.keptOutput()) || launched.hasEnded(), patience.runMs)
      if (launched.hasEnded()) {
        const { exitCode, signalCode } = launched.child
        throw failed(
          text,
          `ended with ${exitCode ?? signalCode} instead of running until an interrupt`,
          launched.output(),
        )
      }
      if (!ready.test(launched.keptOutput())) {
        await end(launched.child)
        throw failed(text, `printed no output that matches ${ready}`, launched.output())
      }
      return {
        text,
        stop: () => stop(text, launched),
        output: launched.output,
        isUp: () => !launched.hasEnded(),
      }
    },
    variable(name) {
      if (!existsSync(state)) return undefined
      return (
        new RegExp(`^declare -x ${name}="(.*)"$`, 'm').exec(readFileSync(state, 'utf8'))?.[1] ?? env[name]
      )
    },
  }
}
