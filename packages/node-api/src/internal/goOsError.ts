import { getSystemErrorMessage } from 'node:util'
import { methodError } from '../Service.ts'

/** Go's descriptions of errors for which this runtime uses other words. */
const IN_GO: Readonly<Record<string, string>> = {
  EBUSY: 'device or resource busy',
  EEXIST: 'file exists',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
}

/**
 * Converts a file system error to a method error with Go's text: `open /a/b: permission denied`. Returns
 * other errors unchanged.
 */
export function goOsError(error: unknown, operation: string, path: string): unknown {
  const { errno, code } = error as NodeJS.ErrnoException
  if (errno === undefined || code === undefined) return error
  return methodError(`${operation} ${path}: ${IN_GO[code] ?? getSystemErrorMessage(errno)}`)
}
