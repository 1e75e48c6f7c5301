import { getSystemErrorMessage } from 'node:util'
import { methodError } from '../Service.ts'

/** Reasons that Go words unlike this runtime. */
const IN_GO: Readonly<Record<string, string>> = {
  EBUSY: 'device or resource busy',
  EEXIST: 'file exists',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
}

/** Returns an error of the file system as the error of a method, in the words of Go: `open /a/b: permission denied`. Others stay. */
export function goOsError(error: unknown, operation: string, path: string): unknown {
  const { errno, code } = error as NodeJS.ErrnoException
  if (errno === undefined || code === undefined) return error
  return methodError(`${operation} ${path}: ${IN_GO[code] ?? getSystemErrorMessage(errno)}`)
}
