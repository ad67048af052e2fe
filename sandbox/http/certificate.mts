import { generate } from 'selfsigned';

export interface Certificate {
	/** PEM. Whoever is to trust the sandbox trusts this text. */
	readonly certificate: string;
	readonly privateKey: string;
}

/** A self-signed certificate for this machine, made anew at every start; good for 30 days, and for nothing else. */
export async function makeCertificate(): Promise<Certificate> {
	const notAfterDate = new Date(Date.now() + 30 * 24 * 3600 * 1000);
	const { cert, private: privateKey } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate,
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: 'localhost' },
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { certificate: cert, privateKey };
}
