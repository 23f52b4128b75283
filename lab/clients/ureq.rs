use std::{env, fs::File, process::exit, time::Duration};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let file = File::open(&args[0]).unwrap();
    let length = file.metadata().unwrap().len();

    let mut request = ureq::put(&args[1]).timeout(Duration::from_secs(300));
    for header in args[2..].chunks(2) {
        request = request.set(&header[0], &header[1]);
    }
    // Without it, ureq sends a reader in chunks.
    request = request.set("Content-Length", &length.to_string());
    if let Err(error) = request.send(file) {
        match error {
            ureq::Error::Status(status, answer) => eprintln!("{} {}", status, answer.into_string().unwrap()),
            other => eprintln!("{}", other),
        }
        exit(1);
    }
}
