//! Cores of a Slurm node that jobs do not get.

/// What a node's record says of its CPUs.
pub struct Cpus<'a> {
    pub sockets: u32,
    /// Cores of each socket.
    pub cores: u32,
    pub threads: u32,
    /// All, and those that jobs get.
    pub total: Option<u32>,
    pub effective: Option<u32>,
    /// Cores reserved, and the CPUs reserved.
    pub count: Option<u32>,
    pub list: Option<&'a str>,
}

impl Cpus<'_> {
    /// CPUs of a core, as Slurm counts them: each thread is one, or each core.
    fn of_core(&self) -> u32 {
        let cores = self.sockets.saturating_mul(self.cores).max(1);
        match self.total {
            Some(total) if total == cores => 1,
            _ => self.threads,
        }
    }

    /// Cores of each socket that jobs get, and a sentence where they are fewer. Slurm numbers CPUs socket by socket and core by core;
    /// without a list it reserves the last core of the last socket, then of the one before, and so on.
    ///
    /// # Errors
    /// A sentence for lists and numbers that cannot be.
    pub fn left(&self) -> Result<(Vec<u32>, Option<String>), String> {
        let all = self.sockets * self.cores;
        let of_core = self.of_core();
        if let Some(total) = self.total.filter(|total| *total != all * of_core && *total != all) {
            let said = format!("{total} CPUs are not those of {} sockets of {} cores", self.sockets, self.cores);
            return Err(said);
        }
        let without = |reserved: &[bool]| -> Vec<u32> {
            let of_socket = |own: &[bool]| own.iter().filter(|taken| !**taken).count() as u32;
            reserved.chunks(self.cores as usize).map(of_socket).collect()
        };
        let from_effective = self.effective.map(|left| (all * of_core).saturating_sub(left).div_ceil(of_core));
        let (mut reserved, by) = (
            vec![false; all as usize],
            match (self.list, self.count) {
                (Some(_), _) => "CPUSpecList",
                (None, Some(count)) if count > 0 => "CoreSpecCount",
                _ => "CPUEfctv",
            },
        );
        match (by, self.list) {
            ("CPUSpecList", Some(list)) => {
                for cpu in numbers(list)? {
                    let core = (cpu / of_core) as usize;
                    *reserved
                        .get_mut(core)
                        .ok_or_else(|| format!("CPUSpecList has CPU {cpu}, which is not there"))? = true;
                }
            }
            _ => {
                let count = if by == "CoreSpecCount" { self.count } else { from_effective }.unwrap_or(0);
                if count >= all {
                    return Err(format!("{by} leaves no core of {all}"));
                }
                for n in 0..count {
                    let (socket, core) = (self.sockets - 1 - n % self.sockets, self.cores - 1 - n / self.sockets);
                    reserved[(socket * self.cores + core) as usize] = true;
                }
            }
        }
        let lost = reserved.iter().filter(|taken| **taken).count() as u32;
        let left: Vec<u32> = without(&reserved).into_iter().filter(|cores| *cores > 0).collect();
        if left.is_empty() {
            return Err(format!("{by} leaves no core of {all}"));
        }
        let other = from_effective.filter(|other| *other != lost);
        let other = other.map_or(String::new(), |n| format!("; by CPUEfctv it would be {n}"));
        let sentence = format!(
            "{lost} of the {all} cores of a node are reserved ({by}), and are left out: jobs do not get them{other}"
        );
        Ok((left, (lost > 0 || !other.is_empty()).then_some(sentence)))
    }
}

/// `0-1,31`.
fn numbers(list: &str) -> Result<Vec<u32>, String> {
    let bad = |_| format!("CPUSpecList {} is no list of CPUs", crate::sink::quoted(list));
    let mut found = Vec::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().map_err(bad)?, last.parse().map_err(bad)?);
        if last < first || last - first > 1 << 20 {
            return Err(format!("CPUSpecList {} is no list of CPUs", crate::sink::quoted(list)));
        }
        found.extend(first..=last);
    }
    Ok(found)
}
