// The certificate of the gRPC port, read again while it is used: what renews certificates writes files, and restarts nothing.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import { errorText } from '../process/errno.ts';

interface Files {
  certFile: string;
  keyFile: string;
}

interface Pair {
  certificate: Buffer;
  privateKey: Buffer;
}

/** Throws what is wrong with the files, also where they are of two pairs. */
function read({ certFile, keyFile }: Files): Pair {
  const [certificate, privateKey] = [readFileSync(certFile), readFileSync(keyFile)];
  createSecureContext({ cert: certificate, key: privateKey });
  return { certificate, privateKey };
}

const everyMs = 10_000;

/** What cannot be used, as one file may be written and the other not yet, leaves the certificate as it was. */
export function renewedCredentials(
  files: Files,
  warn: (why: string) => void,
  intervalMs = everyMs,
): { credentials: ServerCredentials; stop(): void } {
  let pair = read(files);
  let lastWhy = '';
  const listeners = new Set<experimental.IdentityCertificateUpdateListener>();
  const again = (): void => {
    try {
      const next = read(files);
      lastWhy = '';
      if (next.certificate.equals(pair.certificate) && next.privateKey.equals(pair.privateKey)) return;
      pair = next;
      for (const listener of listeners) listener(pair);
    } catch (error) {
      const why = errorText(error);
      if (why !== lastWhy) warn(why);
      lastWhy = why;
    }
  };
  const timer = setInterval(again, intervalMs);
  timer.unref();
  const provider: experimental.CertificateProvider = {
    addIdentityCertificateListener(listener) {
      listeners.add(listener);
      // As the library's own does: the server listens to the credentials after this.
      process.nextTick(() => listener(pair));
    },
    removeIdentityCertificateListener: (listener) => void listeners.delete(listener),
    addCaCertificateListener: () => undefined,
    removeCaCertificateListener: () => undefined,
  };
  return {
    credentials: experimental.createCertificateProviderServerCredentials(provider, null, false),
    stop: () => clearInterval(timer),
  };
}
