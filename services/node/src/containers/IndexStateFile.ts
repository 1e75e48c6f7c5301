import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { IndexState, NodeError } from '@firn/node-api'
import { isRpcError, Schema } from '@firn/rpc'

/** Name of the file that contains the saved index state of a network. */
export const NAME = 'index-marks.json'

const Span = Schema.struct({ first: Schema.u64, last: Schema.optional(Schema.u64) })

const ChainState = Schema.struct({
  previouslyIndexed: Schema.boolean,
  incomplete: Schema.boolean,
  spans: Schema.array(Span),
  accepted: Schema.u64,
})

const File = Schema.struct({
  hasRun: Schema.boolean,
  chains: Schema.struct({ P: ChainState, X: ChainState, C: ChainState }),
})

/**
 * Reads the saved index state from a folder. If there is no file, returns the state of a first start.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function read(folder: string): Promise<IndexState.State> {
  const path = join(folder, NAME)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  return text === undefined ? IndexState.INITIAL : parse(text, path)
}

/**
 * Replaces the saved index state in a folder atomically. Readers see either the old or the new state, even
 * after a power loss.
 */
export async function write(folder: string, state: IndexState.State): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, NAME)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeSynced(draft, `${JSON.stringify(File.format(state), undefined, 2)}\n`)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Moves the saved index state from the folder where earlier versions kept it, which served one network only, to the
 * folder of a network. Does nothing if there is none, or if the network has one.
 */
export async function move(from: string, to: string): Promise<void> {
  const [before, path] = [join(from, NAME), join(to, NAME)]
  if (!existsSync(before) || existsSync(path)) return
  await mkdir(to, { recursive: true })
  await rename(before, path)
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function parse(text: string, path: string): IndexState.State {
  try {
    return File.parse(JSON.parse(text), 'state')
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !isRpcError(cause)) throw cause
    throw new NodeError(
      'NODE_CONFIGURATION',
      `Invalid index state in ${path}: ${cause.message}. Restore the file, or delete it to start without a saved state.`,
      { cause },
    )
  }
}
