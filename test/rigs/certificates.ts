// Certificates that sign themselves, for loopback.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificatePair {
  certFile: string;
  keyFile: string;
  fingerprint: string;
}

/** Files in `folder` by this name, for this machine's own address. */
export function makeCertificate(folder: string, name: string): CertificatePair {
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
  execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  return { certFile, keyFile, fingerprint: new X509Certificate(readFileSync(certFile)).fingerprint256 };
}
